/* Deadlocks in a complete unfolding, also those that no execution has shown (section 6.2 of the thesis that
 * net.h names). The states that can be reached are the solutions of clauses over "event e happens":
 *
 *   B1, C1  what an event takes and reads was put, so its maker happens
 *   B3      of the events that take one condition at most one happens; of two that conflict on a condition
 *           both only if one comes after the other
 *   D1      no event can happen: of what it takes and reads something was not put, or is taken,
 *           or somebody has marked it since
 *   D4      some thread stands before an operation that can wait
 *
 * Deadlocks in which the same threads wait for the same are one; one that was executed is excluded.
 * Cycles of who reads before whom (C2, C3) are left out at first: if a solution has one, the events in
 * it are excluded and the question is asked again. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"
#include "object/object.h"

#include <string.h>

enum { WIDEST = 1 << 16, SHOWN_ROOM = 4096, CONFLICTS = 50000, WAITS = 1024 };

/* Standpoints of a thread before the same operation on the same object. */
struct net_wait {
    uint32_t thread, slot, literal; /* slots */
    uint8_t kind;
};

struct question {
    struct unfold *u;
    struct cdcl *s;
    uint32_t *clause; /* [WIDEST] */
    uint32_t n;
    struct net_wait waits[WAITS];
    uint32_t wait_count;
    bool too_wide;
};

static void add(struct question *q, uint32_t literal)
{
    if (q->n < WIDEST)
        q->clause[q->n++] = literal;
    else
        q->too_wide = true;
}

static void state_clause(struct question *q)
{
    cdcl_clause(q->s, q->clause, q->n);
    q->n = 0;
}

static void implies(struct question *q, uint32_t a, uint32_t b)
{
    add(q, a ^ 1);
    add(q, b);
    state_clause(q);
}

/* c is not there: it was not put, or somebody takes it. */
static void add_absent(struct question *q, const struct net_condition *c, bool past)
{
    if (c->maker)
        add(q, c->maker->literal ^ 1);
    for (const struct net_condition *below = past ? NULL : c->down; below; below = below->beside)
        add(q, below->maker->literal);
}

/* At most one of those who take c, by a chain of variables: one of the first i does. */
static void one_taker(struct question *q, const struct net_condition *c)
{
    uint32_t before = SAT_FALSE;
    for (const struct net_condition *below = c->down; below; below = below->beside) {
        uint32_t taken = cdcl_var(q->s, false), now = below->maker->literal;
        implies(q, now, taken);
        implies(q, before, taken);
        if (before != SAT_FALSE)
            implies(q, before, now ^ 1);
        before = taken;
    }
}

/* Somebody has changed what e touches since. */
static void add_other_marks(struct question *q, const struct net_event *e)
{
    for (int i = 0; i < e->touches; i++) {
        const struct net_condition *c = e->touched[i];
        for (const struct net_event *r = e->past >> i & 1 ? NULL : c->looks; r; r = net_next_look(r, c)) {
            int role = r->role[net_place(r, c)];
            if (r != e && role_in(net_marking, role) && role_in(role_conflicts[e->role[i]], role) &&
                !net_before(&q->u->net, r, e))
                add(q, r->literal);
        }
    }
}

static void state_event(struct question *q, const struct net_event *e)
{
    if (e->from->maker)
        implies(q, e->literal, e->from->maker->literal);
    for (int i = 0; i < e->touches; i++)
        if (e->touched[i]->maker)
            implies(q, e->literal, e->touched[i]->maker->literal);
    for (uint32_t i = 0; i < e->read_count; i++)
        implies(q, e->literal, e->reads[i]->literal);
    add_absent(q, e->from, false);
    for (int i = 0; i < e->touches; i++)
        add_absent(q, e->touched[i], e->past >> i & 1);
    for (uint32_t i = 0; i < e->read_count; i++)
        add(q, e->reads[i]->literal ^ 1);
    add_other_marks(q, e);
    state_clause(q);
}

/* Does an event in this place of r count for who conflicts with it? */
static bool counts(const struct net *n, int role)
{
    return n->replicates || role_in(net_marking, role);
}

/* Of two that conflict one comes after the other: who marks c does not go with one who takes it, or marks
 * it, without that. */
static void state_marks(struct question *q, const struct net_condition *c)
{
    const struct net *n = &q->u->net;
    for (const struct net_event *r = c->looks; r; r = net_next_look(r, c)) {
        int role = r->role[net_place(r, c)];
        if (!counts(n, role))
            continue;
        for (const struct net_condition *below = c->down; below; below = below->beside)
            if (!net_before(n, r, below->maker) &&
                net_counts(n, role, below->maker->role[net_place(below->maker, c)]))
                implies(q, r->literal, below->maker->literal ^ 1);
        for (const struct net_event *o = net_next_look(r, c); o; o = net_next_look(o, c)) {
            int other = o->role[net_place(o, c)];
            if (o->thread != r->thread && net_counts(n, role, other) && net_counts(n, other, role) &&
                !net_before(n, r, o) && !net_before(n, o, r))
                implies(q, r->literal, o->literal ^ 1);
        }
    }
}

/* May a deadlock begin with this thread at c? Who waits for a lock and holds none waits for another one of
 * them; so does who joins a thread, if nobody else joins any. */
static bool can_wait(const struct unfold *u, const struct net_condition *c)
{
    for (const struct net_want *w = c->wants; w; w = w->next) {
        const struct operation *o = operation_of(w->kind);
        if (o->follows == FOLLOWS_THREAD ? u->joiners > 1
            : o->traits & OP_LOCKS && !w->past ? c->holds > 0 || u->left_locked
                                               : o->traits & OP_BLOCKS || o->follows == FOLLOWS_OBJECT)
            return true;
    }
    return false;
}

static struct net_wait wait_at(const struct net_condition *c)
{
    const struct net_want *w = c->wants;
    return (struct net_wait){.thread = c->slot, .kind = w->kind, .slot = w->touches ? w->slot[0] : 0};
}

static struct net_wait *find_wait(struct question *q, const struct net_wait *like)
{
    for (uint32_t i = 0; i < q->wait_count; i++)
        if (q->waits[i].thread == like->thread && q->waits[i].kind == like->kind &&
            q->waits[i].slot == like->slot)
            return &q->waits[i];
    return NULL;
}

static struct net_wait *wait_of(struct question *q, const struct net_condition *c)
{
    struct net_wait like = wait_at(c), *known = find_wait(q, &like);
    if (known)
        return known;
    if (q->wait_count == WAITS) {
        q->too_wide = true;
        return &q->waits[0];
    }
    like.literal = cdcl_var(q->s, false);
    q->waits[q->wait_count] = like;
    return &q->waits[q->wait_count++];
}

/* That the thread stands at c. */
static void state_standpoint(struct question *q, struct net_condition *c)
{
    c->literal = can_wait(q->u, c) ? cdcl_var(q->s, false) : SAT_FALSE;
    if (c->literal == SAT_FALSE)
        return;
    implies(q, c->literal, wait_of(q, c)->literal);
    if (c->maker)
        implies(q, c->literal, c->maker->literal);
    for (const struct net_condition *below = c->down; below; below = below->beside)
        implies(q, c->literal, below->maker->literal ^ 1);
    /* … and the other way round, so that what is excluded is excluded */
    add(q, c->literal);
    add_absent(q, c, false);
    state_clause(q);
}

static void state_condition(struct question *q, struct net_condition *c)
{
    if (c->down && c->down->beside)
        one_taker(q, c);
    if (c->looks && (q->u->net.replicates || q->u->net.marks))
        state_marks(q, c);
    if (q->u->net.slots[c->slot].thread)
        state_standpoint(q, c);
}

static void for_each_condition(struct question *q, void (*f)(struct question *, struct net_condition *))
{
    struct net *n = &q->u->net;
    for (uint32_t s = 1; s < n->slot_count; s++)
        f(q, n->slots[s].root);
    for (uint32_t k = 0; k < n->performed_count; k++) {
        f(q, n->performed[k]->to);
        for (int i = 0; i < n->performed[k]->touches; i++)
            if (n->performed[k]->put[i])
                f(q, n->performed[k]->put[i]);
    }
}

static void add_standpoint(struct question *q, struct net_condition *c)
{
    if (q->u->net.slots[c->slot].thread && c->literal != SAT_FALSE)
        add(q, c->literal);
}

static void ask(struct question *q)
{
    struct unfold *u = q->u;
    q->wait_count = 0;
    cdcl_reset(q->s);
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        u->net.performed[k]->literal = cdcl_var(q->s, true);
    for_each_condition(q, state_condition);
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        state_event(q, u->net.performed[k]);
    for_each_condition(q, add_standpoint);
    state_clause(q);
    for (uint32_t k = 0; k < u->shown_count; k++) {
        for (const struct net_wait *shown = u->shown[k]; shown->thread; shown++) {
            const struct net_wait *wait = find_wait(q, shown);
            if (wait)
                add(q, wait->literal ^ 1);
        }
        state_clause(q);
    }
    for (uint32_t k = 0; k < u->cycle_count; k++) {
        for (struct net_event **e = u->cycles[k]; *e; e++)
            add(q, (*e)->literal ^ 1);
        state_clause(q);
    }
}

/* The state of the solution, in the net's merged[]. */
static void read_state(struct question *q)
{
    struct net *n = &q->u->net;
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->merged[s] = n->slots[s].root;
    for (uint32_t k = 0; k < n->performed_count; k++) {
        struct net_event *e = n->performed[k];
        if (!cdcl_is_true(q->s, e->literal))
            continue;
        if (e->to->depth > n->merged[e->to->slot]->depth)
            n->merged[e->to->slot] = e->to;
        for (int i = 0; i < e->touches; i++)
            if (e->put[i] && e->put[i]->depth > n->merged[e->put[i]->slot]->depth)
                n->merged[e->put[i]->slot] = e->put[i];
    }
}

static int exclude_cycle(struct unfold *u)
{
    struct net *n = &u->net;
    struct net_event **events = arena_alloc(n->arena, (n->left_count + 1) * sizeof *events);
    if (!events || u->cycle_count == SHOWN_ROOM)
        return -1;
    memcpy(events, n->list, n->left_count * sizeof *events);
    u->cycles[u->cycle_count++] = events;
    return 0;
}

static bool same_waits(const struct net_wait *a, const struct net_wait *b)
{
    while (a->thread && a->thread == b->thread && a->kind == b->kind && a->slot == b->slot)
        a++, b++;
    return !a->thread && !b->thread;
}

static int note_shown(struct unfold *u, struct net_condition *const *state)
{
    struct net *n = &u->net;
    struct net_wait here[EVENT_MAX_THREADS + 1], *kept;
    uint32_t count = 0;
    for (int t = 0; t < n->threads; t++) {
        struct net_condition *c = n->thread_slot[t] ? state[n->thread_slot[t]] : NULL;
        if (c && c->wants && can_wait(u, c))
            here[count++] = wait_at(c);
    }
    here[count++] = (struct net_wait){.thread = 0};
    for (uint32_t k = 0; k < u->shown_count; k++)
        if (same_waits(u->shown[k], here))
            return 0;
    if (!u->shown)
        u->shown = arena_alloc(n->arena, SHOWN_ROOM * sizeof *u->shown);
    kept = arena_alloc(n->arena, count * sizeof *kept);
    if (!kept || !u->shown || u->shown_count == SHOWN_ROOM)
        return -1;
    memcpy(kept, here, count * sizeof *kept);
    u->shown[u->shown_count++] = kept;
    return 0;
}

void unfold_deadlock_shown(struct unfold *u, struct net_condition *const *state)
{
    (void)note_shown(u, state); /* if there is no room it is found once more */
}

static int prepare(struct unfold *u)
{
    struct arena *a = u->net.arena;
    if (u->solver)
        return 0;
    u->cycles = arena_alloc(a, SHOWN_ROOM * sizeof *u->cycles);
    struct cdcl *s = arena_alloc(a, sizeof *s);
    uint64_t events = u->net.performed_count, conditions = u->net.conditions;
    uint64_t vars = 2 * events + 2 * conditions + 64, words = 64 * (events + conditions) + (1 << 20);
    if (!u->cycles || !s || vars > UINT32_MAX || words > UINT32_MAX ||
        cdcl_init(s, a, (uint32_t)vars, (uint32_t)words))
        return -1;
    u->solver = s;
    return 0;
}

static bool nobody_waits(const struct unfold *u)
{
    for (uint32_t k = 0; k < u->net.performed_count; k++)
        if (can_wait(u, u->net.performed[k]->to))
            return false;
    return !can_wait(u, u->net.slots[u->net.thread_slot[0]].root);
}

enum answer unfold_deadlock(struct unfold *u)
{
    struct question q;
    memset(&q, 0, sizeof q);
    q.u = u;
    if (nobody_waits(u))
        return ANSWER_NO;
    if (prepare(u))
        return ANSWER_UNKNOWN;
    q.s = u->solver;
    q.clause = arena_alloc(u->net.arena, WIDEST * sizeof *q.clause);
    for (;;) {
        if (!q.clause)
            return ANSWER_UNKNOWN;
        ask(&q);
        enum answer answer = q.too_wide || q.s->full ? ANSWER_UNKNOWN : cdcl_solve(q.s, CONFLICTS);
        if (answer != ANSWER_YES)
            return answer;
        read_state(&q);
        if (net_order(&u->net, NULL))
            return note_shown(u, u->net.merged) ? ANSWER_UNKNOWN : ANSWER_YES;
        if (exclude_cycle(u))
            return ANSWER_UNKNOWN;
    }
}
