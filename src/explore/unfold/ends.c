/* States in which the process ends, and is not in a deadlock. Where a thread has called exit() it does unless
 * somebody waits for a lock of one that has ended; where main has returned unless somebody waits for a lock,
 * or spins (rt/core/sched.c). What is said here is implied by that: whether the state is a deadlock its
 * execution tells. */
#include "explore/unfold/question.h"

#include "base/ensure.h"
#include "object/object.h"

/* Of the condition of a condition variable at which the thread began to wait, and below: the signals that may
 * have woken it. */
static void add_signals(struct question *q, const struct net_condition *c, unsigned thread)
{
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below)) {
        const struct net_event *m = net_maker(below);
        struct event signal = {.kind = m->kind, .value = m->value};
        if (m->role[net_place(m, c)] == ROLE_SIGNAL && object_wakes(&signal, thread))
            question_add(q, m->literal);
        else
            add_signals(q, below, thread);
    }
}

/* The thread at c, which waits for a signal and then for a mutex, has had the signal: a literal that implies
 * it. */
static uint32_t signalled(struct question *q, const struct net_condition *c)
{
    const struct net_event *waiting = net_maker(c);
    ensure(waiting && waiting->touches); /* unfold_waits_for_signal */
    uint32_t woken = cdcl_var(q->s, false);
    question_implies(q, woken, c->literal);
    question_add(q, woken ^ 1);
    add_signals(q, waiting->touch[0].at, (unsigned)q->u->net.slots[c->slot].object);
    question_clause(q);
    return woken;
}

/* Somebody waits for a lock, or spins, at c: a literal that implies it. */
static uint32_t on_lock(struct question *q, const struct net_condition *c)
{
    for (const struct net_want *w = net_wants(c); w; w = w->next) {
        if (operation_is(w->kind, OP_LOCKS) && operation_is(w->kind, OP_WOKEN) && unfold_waits_for_signal(c))
            return signalled(q, c);
        if (operation_is(w->kind, OP_LOCKS) || unfold_looks(&w->op) || unfold_retries(&w->op))
            return c->literal;
    }
    return SAT_FALSE;
}

/* One more place where something is so: a literal that implies it is so here or in one of those before. */
static uint32_t one_more(struct question *q, uint32_t before, uint32_t here)
{
    if (here == SAT_FALSE)
        return before;
    uint32_t some = cdcl_var(q->s, false);
    question_add(q, some ^ 1);
    question_add(q, before);
    question_add(q, here);
    question_clause(q);
    return some;
}

static void add_condition(struct question *q, struct net_condition *c)
{
    if (!q->u->net.slots[c->slot].thread)
        return;
    q->on_lock = one_more(q, q->on_lock, on_lock(q, c));
    if (q->u->left_locked && c->holds && unfold_has_ended(c))
        q->left_locked = one_more(q, q->left_locked, c->literal);
}

static void exclude_end(struct question *q, struct net_condition *c)
{
    bool called = c->exits && !unfold_has_ended(c);
    if (!q->u->net.slots[c->slot].thread || !(c->gives_up || c->exits))
        return;
    question_add(q, c->literal ^ 1);
    if (!c->gives_up)
        question_add(q, q->on_lock);
    question_clause(q);
    if (called)
        question_implies(q, c->literal, q->left_locked);
}

void question_ends(struct question *q)
{
    q->on_lock = q->left_locked = SAT_FALSE;
    if (q->u->some_ends)
        question_conditions(q, add_condition);
    question_conditions(q, exclude_end);
}
