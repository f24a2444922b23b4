/* A finished search says that nothing is possible any more which was not performed. Three things are held
 * against that, each by another way than the one by which possible events are found (extend.c):
 *
 *   - what an execution performs, going on as it likes, must have been in the net if all that it follows from
 *     was there before;
 *   - what was in the net must have been performed, or have been refused where it should happen;
 *   - in the finished net tokens are moved at random, from the state behind an event to an end: what the
 *     threads stand before in each state on the way must be an event of the net. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"
#include "base/rng.h"

#include <string.h>

enum { WALKS = 2000, FEW_WALKS = 100, AHEAD = 16 }; /* at most; and at most from behind every event; and
                                                     * so far ahead the net is fetched */

/* Is it new in the execution under way? */
static bool is_fresh(const struct unfold *u, const struct net_event *e)
{
    for (uint32_t k = u->fresh_count; e && k; k--)
        if (u->fresh[k - 1] == e)
            return true;
    return false;
}

static bool stands_newly(const struct unfold *u, const struct net_condition *c)
{
    for (uint32_t k = u->standpoint_count; k; k--)
        if (u->standpoints[k - 1].thread == c)
            return true;
    return false;
}

/* Does it follow from something that is new? */
static bool follows_fresh(const struct unfold *u, const struct net_event *like)
{
    bool fresh = is_fresh(u, net_maker(like->from)) || stands_newly(u, like->from);
    for (int i = 0; i < like->touches && !fresh; i++)
        fresh = is_fresh(u, net_maker(like->touch[i].at));
    for (uint32_t i = 0; i < like->read_count && !fresh; i++)
        fresh = is_fresh(u, net_reads(&u->net, like)[i]);
    return fresh;
}

void unfold_check_foreseen(struct unfold *u, const struct net_event *made)
{
    struct net_event foreseen;
    struct net_condition *touched[NET_TOUCHES];
    const struct net_event *known = NULL;
    const struct net_want *w = net_wants(made->from);
    if (event_class(made->kind) == CLASS_LOCAL || follows_fresh(u, made))
        return;
    while (w && w->kind != made->kind)
        w = w->next;
    if (!w && made->on_input) /* the branch within it decides which kind it is */
        w = net_wants(made->from);
    (void)unfold_now(u, 0);
    net_touched(made, touched);
    if (w && unfold_like(u, w, made->from, touched, u->now, &foreseen)) {
        foreseen.branch = made->branch; /* in which roles it would be performed may not have been known */
        known = net_event(&u->net, &foreseen, false);
        foreseen.branch = !made->branch; /* nor that there is a branch in it */
        if (made->on_input && (!known || known == made))
            known = net_event(&u->net, &foreseen, false);
    }
    u->overlooked |= !known || known == made;
}

/* Can e, which was performed, happen in the state? (Of what the state of no object matters to.) */
static bool can_follow(const struct net *n, const struct net_event *e, struct net_condition *const *state)
{
    for (int i = 0; i < e->touches; i++)
        if (e->past >> i & 1 ? !net_above(e->touch[i].at, state[e->touch[i].at->slot])
                             : state[e->touch[i].at->slot] != e->touch[i].at)
            return false;
    for (uint32_t i = 0; i < e->read_count; i++)
        if (!net_happens(net_reads(n, e)[i], state))
            return false;
    return true;
}

/* The event of the net, of a branch on inputs one of its sides: of the other one it may be known that no
 * inputs lead there. */
static struct net_event *known_event(struct unfold *u, struct net_event *like)
{
    struct net_event *e = net_event(&u->net, like, false);
    if (u->inputs && (!e || e->state != NET_PERFORMED)) {
        like->branch = 1;
        struct net_event *other = net_event(&u->net, like, false);
        e = other ? other : e;
    }
    return e;
}

/* Of what a thread at c stands before in the state: an event that was performed, or NULL. Clears *known
 * if the net does not have one that can happen. */
static struct net_event *next_of(struct unfold *u, struct net_condition *c,
                                 struct net_condition *const *state, bool *known)
{
    struct net_condition *touched[NET_TOUCHES] = {NULL};
    struct net_event like, *e = NULL;
    for (const struct net_want *w = net_wants(c); w && !e; w = w->next) {
        if (c->owns || w->past)
            continue;
        for (int i = 0; i < w->touches; i++)
            touched[i] = state[w->slot[i]];
        if (!unfold_like(u, w, c, touched, state, &like))
            continue;
        e = known_event(u, &like);
        *known &= e != NULL;
        e = e && e->state == NET_PERFORMED ? e : NULL;
    }
    if (net_wants(c) && !c->owns && !net_wants(c)->past)
        return e;
    for (const struct net_condition *below = net_down(c); below && !e; below = net_beside(below)) {
        struct net_event *maker = net_maker(below);
        if (maker->to == below && can_follow(&u->net, maker, state)) /* not its creation */
            e = maker;
    }
    return e;
}

/* From the state on, at random: is everything in the net that could happen on the way? */
static bool walk(struct unfold *u, struct net_condition **state, struct rng *r)
{
    struct net_event *next[EVENT_MAX_THREADS], *e;
    bool known = true;
    for (;;) {
        uint32_t count = 0;
        for (int t = 0; t < u->net.threads; t++)
            if (u->net.thread_slot[t] &&
                (e = next_of(u, state[u->net.thread_slot[t]], state, &known)))
                next[count++] = e;
        if (!known || !count)
            return known;
        e = next[rng_below(r, count)];
        ensure(state[e->from->slot] == e->from);
        state[e->from->slot] = e->to;
        for (int i = 0; i < e->touches; i++)
            if (net_put(e, i))
                state[net_put(e, i)->slot] = net_put(e, i);
    }
}

/* Walks from the states behind some events: all if there are few, then one in four. */
static bool walks_are_known(struct unfold *u)
{
    struct net *n = &u->net;
    struct rng r;
    rng_seed(&r, 1);
    ensure(!u->waiting_count); /* nothing is left to be tried */
    uint32_t step = n->performed_count <= FEW_WALKS ? 1 : 4 + n->performed_count / WALKS;
    (void)unfold_now(u, 0);
    for (uint32_t k = 0; k < n->performed_count && !unfold_stops(u); k += step) {
        for (uint32_t s = 1; s < n->slot_count; s++)
            u->now[s] = net_tip(n, net_performed(n, k)->to, s);
        if (!walk(u, u->now, &r))
            return false;
    }
    return true;
}

const char *unfold_check(struct unfold *u)
{
    for (uint32_t k = 1; k <= u->net.events; k++) {
        __builtin_prefetch(net_numbered(&u->net, k + AHEAD <= u->net.events ? k + AHEAD : k));
        if (net_numbered(&u->net, k)->state == NET_POSSIBLE)
            return "an event that is possible was not performed where it should (--engine optimal)";
    }
    if (u->overlooked || !walks_are_known(u))
        return "the unfolding lacks an event that is possible (--engine optimal)";
    return NULL;
}
