/* Lexicographic normal form of a trace by insertion (Anisimov and Knuth): an event goes as far to the
 * left as independence allows, to the first place behind which a larger letter stands. Letters are
 * threads: an event is identified by its thread and its place in it. */
#include "trace/canonical.h"

#include "base/ensure.h"

/* A wait that the initial tokens were enough for; see object/dependence.h. */
static void refine_semaphores(const struct event *ev, uint32_t n, struct act *acts)
{
    for (uint32_t i = 0; i < n; i++) {
        if (acts[i].role != ROLE_TAKE)
            continue;
        uint64_t posts = 0;
        for (uint32_t k = 0; k < i; k++)
            posts += acts[k].role == ROLE_POST && acts[k].object == acts[i].object;
        acts[i].role = (uint8_t)object_refined_role(ROLE_TAKE, &ev[i], posts);
    }
}

/* Was wake-up y made possible by signal x: the first one after its wait? */
static bool wakes(const struct event *ev, const struct act *acts, uint32_t x, uint32_t y)
{
    ensure(x < y);
    uint32_t by = y;
    for (uint32_t k = y; k-- > 0 && ev[k].thread != ev[y].thread;)
        if (acts[k].role == ROLE_SIGNAL && ev[k].object == ev[y].other &&
            object_wakes(&ev[k], ev[y].thread))
            by = k;
    return by == x;
}

/* Is x the last event of the thread before y? */
static bool is_last(const struct event *ev, uint32_t x, uint32_t y, uint64_t thread)
{
    if (ev[x].thread != thread)
        return false;
    for (uint32_t k = x + 1; k < y; k++)
        if (ev[k].thread == thread)
            return false;
    return true;
}

/* Did x make the place free that y took? */
static bool makes_place(const struct event *ev, const struct act *acts, uint32_t x, uint32_t y)
{
    return acts[y].role == ROLE_PLACE_LATER && acts[x].role == ROLE_PLACE_FREE &&
           ev[x].object == ev[y].object && ev[x].value + ev[y].size == ev[y].value;
}

/* Is y possible only after x, though they are not dependent: the creation or the exit of the thread it
 * follows, the signal that wakes it, the place that was given back, the arrival that opens the barrier; and
 * if nobody else could go on, everything? */
static bool enables(const struct event *ev, const struct act *acts, uint32_t at, uint32_t to)
{
    ensure(at < to);
    const struct event *y = &ev[to];
    const struct operation *o = operation_of(y->kind);
    if (o->follows == FOLLOWS_THREAD)
        return is_last(ev, at, to, y->object);
    if (o->follows == FOLLOWS_OBJECT || o->follows == FOLLOWS_GIVER)
        return role_in(role_stops, acts[at].role) && ev[at].object == y->object;
    if (o->follows == FOLLOWS_MEETING)
        return acts[at].role == ROLE_MEET && ev[at].object == y->object;
    if (operation_awaits(y->kind))
        return y->flags & EVENT_FAILED;
    if (makes_place(ev, acts, at, to))
        return true;
    return o->traits & OP_WOKEN && acts[at].role == ROLE_SIGNAL && wakes(ev, acts, at, to);
}

static bool ordered(const struct event *ev, const struct act *acts, uint32_t x, uint32_t y)
{
    ensure(x < y);
    return ev[x].thread == ev[y].thread || act_dependent(&acts[x], &acts[y]) ||
           enables(ev, acts, x, y);
}

void canonical_order(const struct event *ev, uint32_t n, struct act *acts, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++)
        acts[i] = act_of(&ev[i]);
    refine_semaphores(ev, n, acts);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = i;
        for (uint32_t k = i; k-- > 0 && !ordered(ev, acts, order[k], i);)
            if (ev[order[k]].thread > ev[i].thread)
                place = k;
        for (uint32_t k = i; k > place; k--)
            order[k] = order[k - 1];
        order[place] = i;
    }
}
