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

/* Is y possible only after x, though they are not dependent: the thread it starts, the exit it waits
 * for, the signal that wakes it, the arrival that opens the barrier? */
static bool enables(const struct event *ev, const struct act *acts, uint32_t at, uint32_t to)
{
    ensure(at < to);
    const struct event *x = &ev[at], *y = &ev[to];
    switch (y->kind) {
    case EV_AWAIT:
        return y->flags & EVENT_FAILED; /* nobody else could go on */
    case EV_START:
        return x->kind == EV_CREATE && x->object == y->thread;
    case EV_JOIN:
        return x->kind == EV_EXIT && x->thread == y->object;
    case EV_BARRIER_LEAVE:
        return acts[at].role == ROLE_OPEN && x->object == y->object;
    default:
        return operation_is(y->kind, OP_WOKEN) && acts[at].role == ROLE_SIGNAL &&
               wakes(ev, acts, at, to);
    }
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
