/* What need not be asked for again: deadlocks that were executed, and states that were taken for one. */
#include "explore/unfold/question.h"

#include "base/ensure.h"

#include <string.h>

enum { SHOWN_ROOM = 4096 };

static const struct net_wait *same_wait(const struct question *q, const struct net_wait *shown)
{
    uint32_t i = 0;
    while (i < q->wait_count && !question_same_wait(&q->waits[i], shown))
        i++;
    return i < q->wait_count ? &q->waits[i] : NULL;
}

static bool waits_in(const struct question *q, const struct net_wait *shown, uint32_t thread)
{
    while (shown->thread && (shown->thread != thread || !same_wait(q, shown)))
        shown++;
    return shown->thread;
}

/* Not the same threads waiting for the same as in a deadlock that was executed, and nobody else. */
static void exclude_shown(struct question *q, const struct net_wait *shown)
{
    for (uint32_t i = 0; i < q->wait_count; i++)
        if (!waits_in(q, shown, q->waits[i].thread))
            question_add(q, q->waits[i].really);
    for (; shown->thread; shown++) {
        const struct net_wait *wait = same_wait(q, shown);
        if (wait)
            question_add(q, wait->literal ^ 1);
    }
    question_clause(q);
}

static bool same_waits(const struct net_wait *a, const struct net_wait *b)
{
    while (a->thread && question_same_wait(a, b))
        a++, b++;
    return !a->thread && !b->thread;
}

/* The waits of the state in here[EVENT_MAX_THREADS + 1]; how many. */
static uint32_t waits_of(struct unfold *u, struct net_condition *const *state, struct net_wait *here)
{
    struct net *n = &u->net;
    uint32_t count = 0;
    for (int t = 0; t < n->threads; t++) {
        struct net_condition *c = n->thread_slot[t] ? state[n->thread_slot[t]] : NULL;
        if (c && (net_wants(c) || c->exits) && question_may_wait(u, c, true))
            here[count++] = question_wait_at(c);
    }
    here[count] = (struct net_wait){.thread = 0};
    return count;
}

static bool is_shown(const struct unfold *u, const struct net_wait *here)
{
    for (uint32_t k = 0; k < u->shown_count; k++)
        if (same_waits(u->shown[k], here))
            return true;
    return false;
}

void unfold_deadlock_shown(struct unfold *u, struct net_condition *const *state)
{
    struct net_wait here[EVENT_MAX_THREADS + 1], *kept;
    uint32_t count = waits_of(u, state, here);
    if (!count || is_shown(u, here))
        return;
    if (!u->shown)
        u->shown = arena_alloc(u->net.arena, SHOWN_ROOM * sizeof *u->shown);
    kept = arena_alloc(u->net.arena, (count + 1) * sizeof *kept);
    if (!kept || !u->shown || u->shown_count == SHOWN_ROOM)
        return; /* it is found once more */
    memcpy(kept, here, (count + 1) * sizeof *kept);
    u->shown[u->shown_count++] = kept;
}

/* Where every thread stands in the state that was planned last. */
static struct net_condition **last_planned(const struct unfold *u)
{
    return u->planned_count ? u->planned[u->planned_count - 1] : NULL;
}

/* The state that was planned last has been executed. If it was a deadlock it is known as one by now, and by
 * what it is told with. If not, nothing but the state itself is left out from now on. */
static void settle(struct unfold *u)
{
    struct net *n = &u->net;
    struct net_condition **planned = last_planned(u);
    struct net_wait here[EVENT_MAX_THREADS + 1];
    if (!planned)
        return;
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->merged[s] = n->slots[s].root;
    for (; *planned; planned++)
        n->merged[(*planned)->slot] = *planned;
    (void)waits_of(u, n->merged, here);
    u->planned_count -= is_shown(u, here);
}

bool unfold_deadlock_plan(struct unfold *u)
{
    struct net *n = &u->net;
    struct net_wait here[EVENT_MAX_THREADS + 1];
    struct net_condition **planned;
    uint32_t count = 0;
    if (!waits_of(u, n->merged, here) || is_shown(u, here))
        return false;
    if (!u->planned)
        u->planned = arena_alloc(n->arena, SHOWN_ROOM * sizeof *u->planned);
    planned = arena_alloc(n->arena, ((size_t)n->threads + 1) * sizeof *planned);
    if (!planned || !u->planned || u->planned_count == SHOWN_ROOM)
        return false;
    for (int t = 0; t < n->threads; t++)
        if (n->thread_slot[t])
            planned[count++] = n->merged[n->thread_slot[t]];
    planned[count] = NULL;
    u->planned[u->planned_count++] = planned;
    return true;
}

void question_exclude_shown(struct question *q)
{
    struct unfold *u = q->u;
    settle(u);
    for (uint32_t k = 0; k < u->shown_count; k++)
        exclude_shown(q, u->shown[k]);
    for (uint32_t k = 0; k < u->planned_count; k++) {
        for (struct net_condition *const *c = u->planned[k]; *c; c++) {
            ensure((*c)->literal > SAT_FALSE); /* state_there */
            question_add(q, (*c)->literal ^ 1);
        }
        question_clause(q);
    }
}
