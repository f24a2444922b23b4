/* Deadlocks in a complete unfolding, also those that no execution has shown (sections 6.2 and 6.3 of
 * the thesis that net.h names): states (question.h) with
 *
 *   D1      no event can happen: of what it takes and reads something was not put, or is taken,
 *           or somebody has marked it since
 *   D4      some thread stands before an operation that can wait
 *           nobody stands where an assumption fails, nor ends the process (ends.c)
 *
 * Deadlocks in which the same threads wait for the same, or end the process, are one; one that was
 * executed is excluded (shown.c). */
#include "explore/unfold/question.h"

#include "base/ensure.h"
#include "object/object.h"

#include <string.h>

/* Can r have happened while the thread of e stands before it, as far as follows from what they know of each
 * other's threads? */
static bool beside(const struct net *n, const struct net_event *e, const struct net_event *r)
{
    return net_above(net_tip(n, r->to, e->from->slot), e->from) &&
           net_lower(r->to, net_tip(n, e->to, r->to->slot));
}

/* Somebody has changed what e touches since. */
static void add_other_marks(struct question *q, const struct net_event *e)
{
    for (int i = 0; i < e->touches; i++) {
        const struct net_condition *c = e->touch[i].at;
        for (const struct net_event *r = e->past >> i & 1 ? NULL : net_looks(c); r; r = net_next_look(r, c)) {
            int role = r->role[net_place(r, c)];
            if (r != e && role_in(net_marking, role) && role_in(role_conflicts[e->role[i]], role) &&
                !net_before(&q->u->net, r, e) && beside(&q->u->net, e, r))
                question_add(q, r->literal);
        }
    }
}

bool question_same_wait(const struct net_wait *a, const struct net_wait *b)
{
    return a->thread == b->thread && a->kind == b->kind && a->slot == b->slot && a->pc == b->pc;
}

static void state_event(struct question *q, const struct net_event *e)
{
    question_add(q, e->from->literal ^ 1);
    for (int i = 0; i < e->touches; i++) {
        const struct net_event *maker = net_maker(e->touch[i].at);
        if (!(e->past >> i & 1))
            question_add(q, e->touch[i].at->literal ^ 1);
        else if (maker)
            question_add(q, maker->literal ^ 1);
    }
    for (uint32_t i = 0; i < e->read_count; i++)
        question_add(q, net_reads(&q->u->net, e)[i]->literal ^ 1);
    add_other_marks(q, e);
    question_clause(q);
}

/* May a deadlock begin with this thread at c? Who waits for a lock and holds none waits for another one of
 * them; so does who joins a thread and holds no lock, if nobody else joins any.
 * `ever`: with what later executions may show. */
bool question_may_wait(const struct unfold *u, const struct net_condition *c, bool ever)
{
    if (c->exits)
        return ever;
    for (const struct net_want *w = net_wants(c); w; w = w->next) {
        const struct operation *o = operation_of(w->kind);
        bool waits = o->traits & (OP_BLOCKS | OP_QUEUED) || unfold_retries(&w->op) ||
                     o->follows == FOLLOWS_OBJECT || o->follows == FOLLOWS_MEETING ||
                     o->follows == FOLLOWS_GIVER;
        if (unfold_joins(w->kind))
            waits = ever || u->joiners > 1 || c->holds > 0;
        else if (o->follows == FOLLOWS_THREAD)
            waits = !unfold_starts(w->kind);
        else if (unfold_looks(&w->op))
            waits = w->rounds->some;
        else if (o->traits & OP_LOCKS && !w->past)
            waits = ever || c->holds > 0 || u->left_locked;
        if (waits)
            return true;
    }
    return false;
}

static bool can_wait(const struct unfold *u, const struct net_condition *c)
{
    return question_may_wait(u, c, false);
}

struct net_wait question_wait_at(const struct net_condition *c)
{
    const struct net_want *w = net_wants(c);
    if (c->exits) /* main has returned, or a thread calls exit() */
        return (struct net_wait){.thread = c->slot, .slot = unfold_has_ended(c)};
    return (struct net_wait){.thread = c->slot, .kind = w->kind, .slot = w->touches ? w->slot[0] : 0,
                             .pc = w->op.pc};
}

static struct net_wait *wait_of(struct question *q, const struct net_condition *c)
{
    struct net_wait like = question_wait_at(c);
    for (uint32_t i = 0; i < q->wait_count; i++)
        if (question_same_wait(&q->waits[i], &like))
            return &q->waits[i];
    if (q->wait_count == WAITS) {
        q->too_wide = true;
        return &q->waits[0];
    }
    like.literal = cdcl_var(q->s, false);
    like.really = SAT_FALSE;
    q->waits[q->wait_count] = like;
    return &q->waits[q->wait_count++];
}

/* c is there: it was put, and nobody takes it. */
static void state_there(struct question *q, struct net_condition *c)
{
    c->literal = cdcl_var(q->s, false);
    if (net_maker(c))
        question_implies(q, c->literal, net_maker(c)->literal);
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
        question_implies(q, c->literal, net_maker(below)->literal ^ 1);
    question_add(q, c->literal);
    question_absent(q, c);
    question_clause(q);
}

static bool is_standpoint(const struct unfold *u, const struct net_condition *c)
{
    return u->net.slots[c->slot].thread && can_wait(u, c);
}

/* Those with whom no deadlock begins wait in it, too: it is another one than without them. */
static void state_standpoint(struct question *q, struct net_condition *c)
{
    if (!q->u->net.slots[c->slot].thread || !question_may_wait(q->u, c, true))
        return;
    ensure(c->literal > SAT_FALSE); /* state_there */
    struct net_wait *wait = wait_of(q, c);
    uint32_t really = cdcl_var(q->s, false);
    question_implies(q, c->literal, wait->literal);
    question_add(q, really ^ 1);
    question_add(q, wait->really);
    question_add(q, c->literal);
    question_clause(q);
    wait->really = really;
}

static void add_standpoint(struct question *q, struct net_condition *c)
{
    if (is_standpoint(q->u, c))
        question_add(q, c->literal);
}

static void ask(struct question *q)
{
    struct unfold *u = q->u;
    q->wait_count = 0;
    cdcl_reset(q->s);
    question_states(q);
    question_conditions(q, state_there);
    question_conditions(q, state_standpoint);
    question_ends(q);
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        state_event(q, net_performed(&u->net, k));
    question_holders(q);
    question_conditions(q, add_standpoint);
    question_clause(q);
    question_exclude_shown(q);
}

static int prepare(struct unfold *u)
{
    struct arena *a = u->net.arena;
    if (u->solver)
        return 0;
    struct cdcl *s = arena_alloc(a, sizeof *s);
    uint64_t events = u->net.performed_count, conditions = u->net.conditions;
    uint64_t kept = a->used - u->kept_from, left = u->memory > kept ? u->memory - kept : 0;
    uint64_t vars = events + (u->some_ends ? 7 : 5) * conditions + 2 * WAITS;
    uint64_t words = 256 * (events + conditions) + (1 << 22);
    if (words > left / 2 / sizeof *s->clauses)
        words = left / 2 / sizeof *s->clauses;
    if (!s || vars * CDCL_VAR_BYTES > left / 2 || vars > UINT32_MAX || words > UINT32_MAX ||
        cdcl_init(s, a, (uint32_t)vars, (uint32_t)words)) {
        u->net.full = true;
        return -1;
    }
    u->solver = s;
    return 0;
}

void unfold_note_stand(struct unfold *u, const struct net_condition *c)
{
    u->some_waits |= can_wait(u, c) || net_wants(c)->rounds;
}

static bool nobody_waits(const struct unfold *u)
{
    if (!u->some_waits && u->joiners <= 1 && !u->left_locked) /* what can_wait() depends on later */
        return true;
    for (uint32_t k = 0; k < u->net.performed_count; k++) {
        const struct net_event *e = net_performed(&u->net, k);
        if (can_wait(u, e->to))
            return false;
        for (int i = 0; i < e->touches; i++) /* where a thread begins that it creates */
            if (net_put(e, i) && is_standpoint(u, net_put(e, i)))
                return false;
    }
    return !can_wait(u, u->net.slots[u->net.thread_slot[0]].root);
}

enum answer unfold_deadlock(struct unfold *u)
{
    struct question q;
    enum answer answer;
    bool again;
    if (nobody_waits(u))
        return ANSWER_NO;
    if (question_begin(&q, u) || prepare(u))
        return ANSWER_UNKNOWN;
    q.s = u->solver;
    do {
        ask(&q);
        answer = question_answer(&q, &again);
    } while (again);
    u->net.full |= q.s->full;
    /* One that was known is excluded: to find it again would have no end. */
    return answer == ANSWER_YES && !unfold_deadlock_plan(u) ? ANSWER_UNKNOWN : answer;
}
