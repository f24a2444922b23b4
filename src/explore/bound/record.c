#include "explore/bound/record.h"

int record_init(struct record *r, struct arena *a, uint32_t room)
{
    r->steps = arena_alloc(a, room * sizeof *r->steps);
    r->position = arena_alloc(a, room * sizeof *r->position);
    r->open = arena_alloc(a, room * sizeof *r->open);
    r->state = arena_alloc(a, room * sizeof *r->state);
    return r->steps && r->position && r->open && r->state ? 0 : -1;
}

static bool same_step(const struct step *a, const struct step *b)
{
    return a->pick == b->pick && a->branch == b->branch;
}

void record_put_steps(struct tape *to, const struct step *steps, uint32_t n)
{
    tape_put(to, n);
    for (uint32_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && same_step(&steps[i], &steps[i + run]); run++)
            ;
        tape_put(to, (uint64_t)steps[i].branch << 16 | steps[i].pick);
        tape_put(to, run);
    }
}

void record_put_set(struct tape *to, const struct tset *s)
{
    tape_put(to, (uint64_t)tset_count(s));
    TSET_FOR(t, s)
        tape_put(to, (uint64_t)t);
}

static void get_set(struct tape *from, struct tset *s)
{
    *s = (struct tset){{0}};
    for (uint64_t n = tape_get(from); n > 0; n--)
        tset_add(s, (int)(tape_get(from) % EVENT_MAX_THREADS));
}

void record_read(struct record *r, struct tape *from, uint32_t room, bool states)
{
    r->step_count = (uint32_t)tape_get(from);
    for (uint32_t i = 0; i < r->step_count && i < room;) {
        uint64_t what = tape_get(from), run = tape_get(from);
        for (; run > 0 && i < room; run--)
            r->steps[i++] = (struct item_step){(uint16_t)what, (uint16_t)(what >> 16)};
    }
    r->count = (uint32_t)tape_get(from);
    for (uint32_t i = 0, last = 0; i < r->count && i < room; i++) {
        r->position[i] = last += (uint32_t)tape_get(from);
        get_set(from, &r->open[i]);
        r->state[i] = states ? tape_get(from) : 0;
    }
    r->at = 0;
}
