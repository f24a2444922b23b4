/* Hash tables of fixed size with open addressing; what does not fit is counted as lost. The
 * operation before on the same object is looked for backwards in the trace, not further than
 * PAIR_REACH events. */
#include "explore/places.h"

#include "base/ensure.h"
#include "object/dependence.h"

enum { PAIR_REACH = 256 };

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a * 0x9e3779b97f4a7c15u ^ b) * 0xff51afd7ed558ccdu >> 32;
}

void places_reached(struct places *p, uint64_t pc)
{
    uint64_t at = mix(pc, 0);
    for (uint32_t i = 0; i < PLACES_MAX / 2; i++) {
        struct place_count *c = &p->places[(at + i) % PLACES_MAX];
        if (c->count && c->pc != pc)
            continue;
        *c = (struct place_count){pc, c->count + 1};
        return;
    }
    p->lost++;
}

void places_branched(struct places *p, uint64_t pc, bool taken)
{
    uint64_t at = mix(pc, 1);
    for (uint32_t i = 0; i < PLACE_BRANCHES_MAX / 2; i++) {
        struct place_branch *b = &p->branches[(at + i) % PLACE_BRANCHES_MAX];
        if (b->pc && b->pc != pc)
            continue;
        b->pc = pc;
        b->count[taken]++;
        return;
    }
    p->lost++;
}

static void interleaved(struct places *p, uint64_t first, uint64_t second)
{
    uint64_t at = mix(first, second);
    for (uint32_t i = 0; i < PLACE_PAIRS_MAX / 2; i++) {
        struct place_pair *c = &p->pairs[(at + i) % PLACE_PAIRS_MAX];
        if (c->count && (c->first != first || c->second != second))
            continue;
        *c = (struct place_pair){first, second, c->count + 1};
        return;
    }
    p->lost++;
}

void places_observe(struct places *p, const struct trace *t, const struct event *ev)
{
    uint32_t at = (uint32_t)(ev - t->events);
    ensure(at < t->event_count);
    if (!ev->pc)
        return;
    places_reached(p, ev->pc);
    struct act mine = act_of(ev);
    for (uint32_t i = at; mine.role != ROLE_NONE && i-- > 0 && at - i < PAIR_REACH;) {
        const struct event *before = &t->events[i];
        struct act other = act_of(before);
        if (other.role == ROLE_NONE || other.object != mine.object)
            continue;
        if (before->thread != ev->thread && before->pc && act_dependent(&other, &mine))
            interleaved(p, before->pc, ev->pc);
        return;
    }
}
