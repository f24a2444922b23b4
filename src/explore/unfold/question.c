/* Questions to the SAT solver about the states of a net: the states that can be reached are the solutions of
 * clauses over "event e happens" (section 6.2 of the thesis that net.h names). */
#include "explore/unfold/question.h"

#include "base/ensure.h"

#include <string.h>

enum { CONFLICTS = 1 << 20 };

void question_add(struct question *q, uint32_t literal)
{
    if (q->n < WIDEST)
        q->clause[q->n++] = literal;
    else
        q->too_wide = true;
}

void question_clause(struct question *q)
{
    cdcl_clause(q->s, q->clause, q->n);
    q->n = 0;
}

void question_implies(struct question *q, uint32_t a, uint32_t b)
{
    question_add(q, a ^ 1);
    question_add(q, b);
    question_clause(q);
}

/* c is not there: it was not put, or somebody takes it. */
void question_absent(struct question *q, const struct net_condition *c)
{
    if (net_maker(c))
        question_add(q, net_maker(c)->literal ^ 1);
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
        question_add(q, net_maker(below)->literal);
}

/* At most one of those who take c, by a chain of variables: one of the first i does. */
static void one_taker(struct question *q, const struct net_condition *c)
{
    uint32_t before = SAT_FALSE;
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below)) {
        uint32_t taken = cdcl_var(q->s, false), now = net_maker(below)->literal;
        question_implies(q, now, taken);
        question_implies(q, before, taken);
        if (before != SAT_FALSE)
            question_implies(q, before, now ^ 1);
        before = taken;
    }
}

/* Does an event in this place of r count for who conflicts with it? */
static bool counts(const struct net *n, int role)
{
    return n->replicates || role_in(net_marking, role);
}

/* Do two events not go together because of what they need of the thread of one of them? The clauses about its
 * conditions say so. */
static bool apart(const struct net *n, const struct net_event *e, const struct net_event *f)
{
    return !net_lower(e->to, net_tip(n, f->to, e->to->slot)) ||
           !net_lower(f->to, net_tip(n, e->to, f->to->slot));
}

/* Of two that conflict one comes after the other: who marks c does not go with one who takes it, or marks
 * it, without that. */
static void state_marks(struct question *q, const struct net_condition *c)
{
    const struct net *n = &q->u->net;
    for (const struct net_event *r = net_looks(c); r; r = net_next_look(r, c)) {
        int role = r->role[net_place(r, c)];
        if (!counts(n, role))
            continue;
        for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
            if (!net_before(n, r, net_maker(below)) &&
                net_counts(n, role, net_maker(below)->role[net_place(net_maker(below), c)]) &&
                !apart(n, r, net_maker(below)))
                question_implies(q, r->literal, net_maker(below)->literal ^ 1);
        for (const struct net_event *o = net_next_look(r, c); o; o = net_next_look(o, c)) {
            int other = o->role[net_place(o, c)];
            if (o->thread != r->thread && net_counts(n, role, other) && net_counts(n, other, role) &&
                !net_before(n, r, o) && !net_before(n, o, r) && !apart(n, r, o))
                question_implies(q, r->literal, o->literal ^ 1);
        }
    }
}

void question_conditions(struct question *q, void (*f)(struct question *, struct net_condition *))
{
    struct net *n = &q->u->net;
    for (uint32_t s = 1; s < n->slot_count; s++)
        f(q, n->slots[s].root);
    for (uint32_t k = 0; k < n->performed_count; k++) {
        f(q, net_performed(n, k)->to);
        for (int i = 0; i < net_performed(n, k)->touches; i++)
            if (net_put(net_performed(n, k), i))
                f(q, net_put(net_performed(n, k), i));
    }
}

/* What e needs has happened. */
static void state_causes(struct question *q, const struct net_event *e)
{
    if (net_maker(e->from))
        question_implies(q, e->literal, net_maker(e->from)->literal);
    for (int i = 0; i < e->touches; i++)
        if (net_maker(e->touch[i].at))
            question_implies(q, e->literal, net_maker(e->touch[i].at)->literal);
    for (uint32_t i = 0; i < e->read_count; i++)
        question_implies(q, e->literal, net_reads(&q->u->net, e)[i]->literal);
}

static void state_condition(struct question *q, struct net_condition *c)
{
    if (net_down(c) && net_beside(net_down(c)))
        one_taker(q, c);
    const struct net *n = &q->u->net;
    if (!n->slots[c->slot].thread && net_looks(c) && (n->replicates || n->marks))
        state_marks(q, c);
}

void question_states(struct question *q)
{
    struct unfold *u = q->u;
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        net_performed(&u->net, k)->literal = cdcl_var(q->s, true);
    question_conditions(q, state_condition);
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        state_causes(q, net_performed(&u->net, k));
    for (uint32_t k = 0; k < u->cycle_count; k++) {
        for (struct net_event **e = u->cycles[k]; *e; e++)
            question_add(q, (*e)->literal ^ 1);
        question_clause(q);
    }
}

/* The state of the solution, in the net's merged[]. */
static void read_state(struct question *q)
{
    struct net *n = &q->u->net;
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->merged[s] = n->slots[s].root;
    for (uint32_t k = 0; k < n->performed_count; k++) {
        struct net_event *e = net_performed(n, k);
        if (!cdcl_is_true(q->s, e->literal))
            continue;
        if (e->to->depth > n->merged[e->to->slot]->depth)
            n->merged[e->to->slot] = e->to;
        for (int i = 0; i < e->touches; i++)
            if (net_put(e, i) && net_put(e, i)->depth > n->merged[net_put(e, i)->slot]->depth)
                n->merged[net_put(e, i)->slot] = net_put(e, i);
    }
}

static int exclude_cycle(struct unfold *u)
{
    struct net *n = &u->net;
    struct net_event **events = arena_alloc(n->arena, (n->left_count + 1) * sizeof *events);
    if (!events || u->cycle_count == CYCLE_ROOM)
        return -1;
    memcpy(events, n->list, n->left_count * sizeof *events);
    u->cycles[u->cycle_count++] = events;
    return 0;
}

int question_begin(struct question *q, struct unfold *u)
{
    struct arena *a = u->net.arena;
    memset(q, 0, sizeof *q);
    q->u = u;
    if (!u->cycles)
        u->cycles = arena_alloc(a, CYCLE_ROOM * sizeof *u->cycles);
    if (!u->clause)
        u->clause = arena_alloc(a, WIDEST * sizeof *u->clause);
    q->clause = u->clause;
    return u->cycles && u->clause ? 0 : -1;
}

/* Do more threads wait at a barrier in the state merged[] than can? Then list[] are their arrivals. */
static bool crowded(struct net *n)
{
    n->runs++;
    for (uint32_t k = 0; k < n->performed_count; k++) {
        struct net_event *e = net_performed(n, k);
        struct net_condition *c = e->touches ? e->touch[0].at : NULL;
        if (!c || net_put(e, 0) || e->past & 1 || !net_happens(e, n->merged))
            continue;
        c->readers = c->run == n->runs ? c->readers + 1 : 1;
        c->run = n->runs;
        if (!net_crowded(e, 0))
            continue;
        n->left_count = 0;
        for (struct net_event *r = net_looks(c); r; r = net_next_look(r, c))
            if (net_happens(r, n->merged))
                n->list[n->left_count++] = r;
        return true;
    }
    return false;
}

/* Do the branches of order[] go together? If not those that do not are list[]. */
static bool inputs_lead_there(struct unfold *u)
{
    struct net *n = &u->net;
    uint32_t at;
    if (!u->inputs || unfold_suit(u, n->order, n->order_count, &at))
        return true;
    n->left_count = 0;
    for (uint32_t k = 0; k <= at; k++)
        if (n->order[k]->on_input)
            n->list[n->left_count++] = n->order[k];
    return false;
}

enum answer question_answer(struct question *q, bool *again)
{
    ensure(q->s && !q->n); /* no clause is left unfinished */
    *again = false;
    q->s->go_on = q->u->go_on;
    enum answer answer = q->too_wide || q->s->full ? ANSWER_UNKNOWN : cdcl_solve(q->s, CONFLICTS);
    if (answer != ANSWER_YES)
        return answer;
    read_state(q);
    if (!crowded(&q->u->net) && net_order(&q->u->net, NULL) && inputs_lead_there(q->u))
        return ANSWER_YES;
    *again = !exclude_cycle(q->u);
    return ANSWER_UNKNOWN;
}
