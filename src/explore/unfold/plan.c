/* Plans: the events that lead to a possible one, its target, in an order in which they can happen. When
 * the target was reached the execution is led on to others that it can still come to. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

#include <string.h>

/* Of coming to one more possible event, each time one was reached; every time that fails, half as many the
 * next time: what waits is looked up all over the net. */
enum { MOST_TRIES = 64, FEW_TRIES = 16 };

static bool has_happened(struct unfold *u, const struct net_event *p)
{
    const struct net_condition *now = *unfold_now(u, p->from->slot);
    return p->state == NET_PERFORMED && now != p->from && unfold_came_by(u, p->to);
}

/* The next event of the plan, NULL at its end. */
struct net_event *unfold_planned(struct unfold *u)
{
    while (u->plan_at < u->plan_count && has_happened(u, u->plan[u->plan_at]))
        u->plan_at++;
    return u->plan_at < u->plan_count ? u->plan[u->plan_at] : NULL;
}

/* Is the target an arrival at a barrier that would be the last one, and was to be another? */
static bool would_open(struct unfold *u, const struct net_event *target, int i)
{
    const struct net_condition *c = target->touch[i].at;
    uint32_t arrived = 1;
    if (!net_arrives(target->role[i]))
        return false;
    for (const struct net_event *r = net_looks(c); r; r = net_next_look(r, c))
        arrived += net_arrives(r->role[net_place(r, c)]) && net_happens(r, u->net.merged);
    return net_state(c) ? arrived >= net_state(c)->limit : arrived > 1;
}

/* Will there be marks that the target would be known by, and is not? merged[] is the state before it. */
static bool marked_by_others(struct unfold *u, const struct net_event *target)
{
    for (int i = 0; i < target->touches; i++) {
        const struct net_condition *c = target->touch[i].at;
        if (!(target->past >> i & 1) && would_open(u, target, i))
            return true;
        bool some = !(target->past >> i & 1) && net_any_counts(&u->net, target->role[i]);
        const struct net_event *r = some ? net_looks(c) : NULL;
        for (; r; r = net_next_look(r, c)) {
            bool listed = r->thread == target->thread || !net_happens(r, u->net.merged) ||
                          !net_counts(&u->net, r->role[net_place(r, c)], target->role[i]);
            for (uint32_t k = 0; k < target->read_count && !listed; k++)
                listed = net_before(&u->net, r, net_reads(&u->net, target)[k]);
            if (!listed)
                return true;
        }
    }
    return false;
}

/* Does the plan order[] for the target depend on inputs, which are given before an execution? */
static bool branches_on_input(const struct unfold *u, const struct net_event *target)
{
    bool some = target->on_input;
    for (uint32_t k = 0; k < u->net.order_count && !some; k++)
        some = u->net.order[k]->on_input;
    return some;
}

/* An order of what leads to merged[], from where the execution is or, of the next one, behind what that has
 * in common with the last one. */
static bool in_order(struct unfold *u, const struct net_event *target, struct net_condition *const *from)
{
    if (from)
        return net_order(&u->net, from);
    if (unfold_past_share(u, target) && net_order(&u->net, u->now))
        return true;
    u->past.kept = u->past.steps = u->past.known = 0;
    return net_order(&u->net, NULL);
}

/* A plan to come to the target, from the start or from where the execution is; false: that cannot be. */
static bool plan_for(struct unfold *u, struct net_event *target, struct net_condition *const *from)
{
    struct net_condition *parts[1 + NET_TOUCHES + 2 * EVENT_MAX_THREADS], *touched[NET_TOUCHES];
    net_touched(target, touched);
    int holding, count = net_parts(parts, target->from, touched, (1u << target->touches) - 1,
                                   target->past, &holding);
    for (uint32_t i = 0; i < target->read_count; i++)
        parts[count++] = net_reads(&u->net, target)[i]->to;
    for (int t = 0; from && t < u->net.threads; t++)
        if (u->net.thread_slot[t])
            parts[count++] = from[u->net.thread_slot[t]];
    if (!net_fit(&u->net, parts, holding, count) || marked_by_others(u, target) ||
        !in_order(u, target, from) ||
        (from && u->inputs && branches_on_input(u, target)))
        return false;
    memcpy(u->plan, u->net.order, u->net.order_count * sizeof *u->plan);
    u->plan_count = u->net.order_count;
    u->plan[u->plan_count++] = target;
    u->plan_at = 0;
    return true;
}

/* Is what the target needs still ahead, or there? */
static bool is_ahead(const struct unfold *u, const struct net_event *target)
{
    if (!net_above(u->now[target->from->slot], target->from))
        return false;
    for (int i = 0; i < target->touches; i++)
        if (!(target->past >> i & 1) && !net_above(u->now[target->touch[i].at->slot], target->touch[i].at))
            return false;
    return true;
}

/* The target was reached: another one of those that wait which this execution can still come to. */
struct net_event *unfold_plan_more(struct unfold *u)
{
    for (int tries = 0; u->packed && tries < MOST_TRIES >> u->missed; tries++) {
        struct net_event *target = net_numbered(&u->net, u->waiting[--u->packed]);
        (void)unfold_now(u, 0);
        if (target->state == NET_POSSIBLE && is_ahead(u, target) && plan_for(u, target, u->now)) {
            u->missed = 0;
            return unfold_planned(u);
        }
    }
    if (MOST_TRIES >> u->missed > FEW_TRIES)
        u->missed++;
    u->packed = 0;
    return NULL;
}

void unfold_try_later(struct unfold *u, struct net_event *e)
{
    ensure(u->waiting_count < u->net.event_room);
    e->queued = true;
    u->waiting[u->waiting_count++] = e->number;
}

/* Has an execution shown by now that the operation is not what was foreseen? */
static bool is_refuted(const struct unfold *u, const struct net_event *target)
{
    int shown = target->touches
                    ? unfold_shown_role(u, target->kind, target->from, target->touch[0].at) : -1;
    return shown >= 0 && shown != target->role[0];
}

/* The newest of those that wait, whose causes are at hand, or of the first few any. */
static struct net_event *take_waiting(struct unfold *u)
{
    uint32_t last = --u->waiting_count, at = last;
    if (u->probes)
        at = (uint32_t)((uint64_t)(u->probes-- * 0x9e3779b9u) * (last + 1ull) >> 32);
    uint32_t number = u->waiting[at];
    u->waiting[at] = u->waiting[last];
    return net_numbered(&u->net, number);
}

/* The next event to be tried becomes the target of a plan; false: there is none. */
bool unfold_plan_next(struct unfold *u)
{
    for (;;) {
        uint32_t at;
        if (!u->waiting_count)
            return false;
        struct net_event *target = take_waiting(u);
        if (target->state != NET_POSSIBLE)
            continue;
        target->queued = false;
        if (is_refuted(u, target)) {
            target->state = NET_IMPOSSIBLE;
            continue;
        }
        bool fit = plan_for(u, target, NULL);
        ensure(fit);
        u->packed = u->waiting_count;
        if (!u->inputs)
            return true;
        if (unfold_suit(u, u->plan, u->plan_count, &at)) {
            unfold_avoid(u);
            return true;
        }
        target->state = NET_IMPOSSIBLE;
    }
}
