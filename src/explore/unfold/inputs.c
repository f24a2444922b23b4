/* Branches on inputs (docs/symbolic.md). To the net they are events of their thread with two sides; the path
 * condition of an event is that of its causes, so before a plan is executed the conditions along it are given
 * to the solver: if they go together it answers with inputs, and all branches of the plan go as they should.
 * An event whose causes do not go together is none. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

#include <string.h>

int unfold_take_side(struct engine *e, const struct event *op)
{
    struct unfold *u = e->state;
    const struct net_condition *c = unfold_thread(u, op->thread);
    if (u->choices[op->thread])
        unfold_not_known(e, op);
    if (!u->inputs) { /* what was foreseen from values may be wrong */
        u->begins_anew |= u->net.performed_count > 0;
        u->inputs = true;
    }
    for (uint32_t i = u->plan_at; i < u->plan_count; i++)
        if (u->plan[i]->from == c && u->plan[i]->on_input && u->plan[i]->branch != e->usual)
            e->incomplete = "a value that depends on an input was not followed exactly";
    u->choice[op->thread] = (uint16_t)e->usual;
    u->choices[op->thread] = 2;
    u->condition[op->thread] = e->symbolic.condition;
    u->bit[op->thread] = e->symbolic.bit;
    return e->usual;
}

struct wish unfold_wish(const struct net_event *branch, bool side)
{
    return (struct wish){(uint32_t)branch->value, side};
}

uint32_t unfold_wishes(struct unfold *u, struct net_event *const *events, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++)
        if (events[k]->on_input)
            u->wishes[n++] = unfold_wish(events[k], events[k]->branch != 0);
    return n;
}

bool unfold_suit(struct unfold *u, struct net_event *const *events, uint32_t count, uint32_t *at)
{
    uint32_t n = unfold_wishes(u, events, count), i = 0;
    if (!n || u->suit(u->wishes, n, n, u->holds))
        return true;
    while (u->holds[i])
        i++;
    for (*at = 0;; (*at)++)
        if (events[*at]->on_input && !i--)
            return false;
}

/* Bits of the same value before this one that could be otherwise. */
static unsigned free_bits_before(const struct net_event *done)
{
    unsigned n = 0;
    const struct net_event *e = net_maker(done->from);
    for (; e && e->on_input && e->bit; e = net_maker(e->from))
        n += e->open;
    return n;
}

bool unfold_other_side(struct unfold *u, struct net_event *done)
{
    struct net *n = &u->net;
    struct net_event other = *done;
    uint32_t at;
    ensure(done->state == NET_PERFORMED && done->on_input);
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->merged[s] = net_tip(n, done->from, s);
    if (!net_order(n, NULL) || n->order_count == n->order_room)
        return true; /* it is asked for before it is executed, too */
    other.branch = !done->branch;
    n->order[n->order_count] = &other;
    if (!unfold_suit(u, n->order, n->order_count + 1, &at))
        return false;
    done->open = !done->bit || 2u << free_bits_before(done) <= u->concretise ||
                 !u->made_concrete((uint32_t)done->value);
    return done->open;
}
