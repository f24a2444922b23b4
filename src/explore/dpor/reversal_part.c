/* Why a part of v = notdep(e, E).e2 is enough (JACM 2017, Algorithm 2 inserts all of it). Whether v
 * is covered is decided with all of it. If it is not, a leaf u must stand in the tree with u ~ v: u a
 * prefix of v will do, as long as nothing that sleeps there stays asleep at u, so that no execution
 * is given up below. So u has the reversed event, of each sleeper and elder branch one event that
 * wakes it, and what happens before these. The tree below u finds the rest by itself. Leaves then lie
 * high in the tree and have much below them: trees are smaller, and parts of a search can be given to
 * others. Sequences with choices are left as they are: what is chosen later depends on them. */
#include "explore/dpor/reversal.h"

#include "base/ensure.h"

void rev_keep_aim(struct reversal *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        r->items[i].kept = 0;
    r->items[r->second == HB_NONE ? 0 : r->count - 1].kept = 1;
}

/* The first that wakes it; nothing, if that happened on the way. */
void rev_keep_waker(struct reversal *r, const struct act *sleeper)
{
    ensure(r->start <= r->count);
    for (uint32_t i = r->start; i < r->count; i++) {
        struct rev_item *it = &r->items[i];
        if (it->gone || it->act.thread == sleeper->thread || !act_wakes(sleeper, &it->act))
            continue;
        it->kept = 1;
        return;
    }
}

/* A choice stays with the step that asks for it. */
void rev_shorten(struct reversal *r, const struct happens *h)
{
    for (uint32_t i = r->count; i-- > r->start;) {
        if (r->items[i].gone || !r->items[i].kept)
            continue;
        for (uint32_t k = r->start; k < i; k++)
            if (!r->items[k].kept && !r->items[k].gone && rev_precedes(r, h, k, i))
                r->items[k].kept = 1;
    }
    for (uint32_t i = r->start; i < r->count; i++) {
        struct rev_item *it = &r->items[i];
        bool chosen = it->branch && i && (r->items[i - 1].kept || r->items[i - 1].gone);
        it->kept |= chosen;
        it->gone |= !it->kept;
    }
}
