/* The order of Esparza, Römer and Vogler ("An improvement of McMillan's unfolding algorithm";
 * definitions 27 to 31 of the thesis that model.h names): by the size of the local configurations;
 * by their transitions, in lexicographic order; by their Foata normal forms. Transitions are
 * ordered by hashes. */
#include "explore/match/prefix.h"

#include "base/ensure.h"

#include <string.h>

static void sift(uint64_t *items, uint32_t at, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && items[child] < items[child + 1];
        if (items[at] >= items[child])
            return;
        uint64_t x = items[at];
        items[at] = items[child];
        items[child] = x;
    }
}

void prefix_sort(uint64_t *items, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(items, i, count);
    while (count > 1) {
        uint64_t x = items[0];
        items[0] = items[--count];
        items[count] = x;
        sift(items, 0, count);
    }
}

/* f of every event in the configuration with these tips, thread by thread; how many. */
static uint32_t collect(const struct prefix *p, const union prefix_tip *tips, uint32_t tip_count,
                        uint64_t *out, uint64_t (*f)(const struct prefix_event *))
{
    uint32_t count = 0;
    for (int t = 0; t < EVENT_MAX_THREADS && p->thread_slot[t] && p->thread_slot[t] < tip_count;
         t++) {
        const struct prefix_condition *c = tips[p->thread_slot[t]].condition;
        for (; c && c->depth > 1; c = c->up)
            out[count++] = f(c->maker);
    }
    return count;
}

static uint64_t number_of(const struct prefix_event *e)
{
    return e->number;
}

static uint64_t move_of(const struct prefix_event *e)
{
    return e->move;
}

/* Where it stands in the normal form; of the 64 bits of the hash 40 are left. */
static uint64_t place_of(const struct prefix_event *e)
{
    return (uint64_t)e->level << 40 | e->move >> 24;
}

uint32_t prefix_before(struct prefix *p, const union prefix_tip *tips, uint32_t tip_count)
{
    uint32_t count = collect(p, tips, tip_count, p->order[0], number_of);
    prefix_sort(p->order[0], count);
    return count;
}

static void both(struct prefix *p, const struct prefix_event *a, const struct prefix_event *b,
                 uint64_t (*f)(const struct prefix_event *))
{
    const struct prefix_event *e[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        uint32_t count = collect(p, e[i]->tips, e[i]->tip_count, p->order[i], f);
        ensure(count + 1 == e[i]->size);
        p->order[i][count] = f(e[i]);
        prefix_sort(p->order[i], count + 1);
    }
}

bool prefix_smaller(struct prefix *p, const struct prefix_event *a, const struct prefix_event *b)
{
    if (a->size != b->size)
        return a->size < b->size;
    both(p, a, b, move_of);
    for (uint32_t i = 0; i < a->size; i++)
        if (p->order[0][i] != p->order[1][i])
            return p->order[0][i] < p->order[1][i];
    both(p, a, b, place_of);
    for (uint32_t i = 0; i < a->size; i++) {
        uint64_t x = p->order[0][i], y = p->order[1][i];
        if (x >> 40 !=
            y >> 40) /* the one that is done with the level is its beginning, so smaller */
            return x >> 40 > y >> 40;
        if (x != y)
            return x < y;
    }
    return false;
}
