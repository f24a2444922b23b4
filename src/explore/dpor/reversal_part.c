/* Why a part of v = notdep(e, E).e2 is enough (JACM 2017, Algorithm 2 inserts all of it). Whether v
 * is covered is decided with all of it. If it is not, a leaf u must stand in the tree with u ~ v: u a
 * prefix of v will do, as long as nothing that sleeps there stays asleep at u, so that no execution
 * is given up below. So u has the reversed event, of each sleeper and elder branch one event that
 * wakes it, and what happens before these. The tree below u finds the rest by itself. Leaves then lie
 * high in the tree and have much below them: trees are smaller, and parts of a search can be given to
 * others. Sequences with choices are left as they are: what is chosen later depends on them. */
#include "explore/dpor/reversal.h"

#include "base/ensure.h"
#include "base/vclock.h"

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

/* Everything that is kept so far is in `known`, with what happens before it. */
struct cut {
    struct reversal *r;
    const struct happens *h;
    vtime known[EVENT_MAX_THREADS] __attribute__((aligned(16)));
};

static bool is_known(const struct cut *c, const struct rev_item *it)
{
    const struct hb_entry *e = &c->h->entries[it->entry];
    return c->known[e->act.thread] >= e->time;
}

static void keep(struct cut *c, struct rev_item *it)
{
    if (!is_known(c, it))
        vrow_join(c->known, hb_row(c->h, it->entry), c->h->width);
    it->kept = 1;
}

/* What was never performed like this has no clock: the items are asked one by one. */
static void keep_before_aim(struct cut *c, uint32_t aim)
{
    for (uint32_t k = aim; k-- > c->r->start;) {
        struct rev_item *it = &c->r->items[k];
        if (!it->gone && it->entry != HB_NONE && !is_known(c, it) && rev_precedes(c->r, c->h, k, aim))
            keep(c, it);
    }
}

/* A choice stays with the step that asks for it. */
void rev_shorten(struct reversal *r, const struct happens *h)
{
    struct cut c = {.r = r, .h = h};
    for (uint32_t i = r->count; i-- > r->start;) {
        struct rev_item *it = &r->items[i];
        if (it->gone)
            continue;
        if (it->kept && it->entry == HB_NONE)
            keep_before_aim(&c, i);
        else if (it->entry != HB_NONE && (it->kept || is_known(&c, it)))
            keep(&c, it);
    }
    for (uint32_t i = r->start; i < r->count; i++) {
        struct rev_item *it = &r->items[i];
        bool chosen = it->branch && i && (r->items[i - 1].kept || r->items[i - 1].gone);
        it->kept |= chosen;
        it->gone |= !it->kept;
    }
}
