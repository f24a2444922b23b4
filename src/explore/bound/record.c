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
    for (uint64_t n = tape_get(from); n > 0 && !tape_at_end(from); n--)
        tset_add(s, (int)(tape_get(from) % EVENT_MAX_THREADS));
}

static bool get_steps(struct record *r, struct tape *from, uint32_t room)
{
    uint64_t n = tape_get(from);
    r->step_count = (uint32_t)n;
    if (n > room)
        return false;
    for (uint32_t i = 0; i < n;) {
        uint64_t what = tape_get(from), run = tape_get(from);
        if (!run || run > n - i)
            return false;
        for (; run > 0; run--)
            r->steps[i++] = (struct item_step){(uint16_t)what, (uint16_t)(what >> 16)};
    }
    return true;
}

/* Is there something to be tried at the position? */
static bool has_more(const struct record *r, uint32_t n, const struct tset *open, uint32_t room)
{
    if (!tset_empty(open))
        return n <= r->step_count && n < room;
    if (n >= r->step_count || !r->steps[n].branch)
        return false;
    return step_next_value(&(struct step){.pick = r->steps[n].pick, .branch = r->steps[n].branch}) >= 0;
}

bool record_read(struct record *r, struct tape *from, uint32_t room, bool states)
{
    r->at = r->count = r->begun = 0;
    if (!get_steps(r, from, room))
        return false;
    uint64_t count = tape_get(from), last = 0;
    if (!count || count > room)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        last += tape_get(from);
        get_set(from, &r->open[i]);
        r->state[i] = states ? tape_get(from) : 0;
        if (last > UINT32_MAX || !has_more(r, (uint32_t)last, &r->open[i], room))
            return false;
        r->position[i] = (uint32_t)last;
    }
    r->count = (uint32_t)count;
    return true;
}
