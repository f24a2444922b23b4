/* Deadlocks in the complete prefix: a question to the SAT solver about sets of its events
 * (section 6.2 of the thesis that model.h names). A solution is a configuration (what its events
 * need has happened, nobody takes what another one takes, or has read without being known to it) in
 * which no event of the prefix can happen and some thread has not ended. Deadlocks in which the
 * same threads wait for the same are one. */
#include "explore/match/prefix.h"

#include "base/ensure.h"

#include <string.h>

enum { CONFLICTS = 20000, WIDEST = 1 << 16, VARIABLE = 64 /* bytes that one takes, at most */ };

/* Standpoints of a thread before the same operation on the same object. */
struct stuck_wait {
    uint64_t object;
    uint32_t literal, some; /* it stands at one of them; a chain that says at which */
    uint16_t thread;
    uint8_t kind;
};

struct stuck {
    struct prefix *p;
    struct cdcl *s;
    uint32_t *literal; /* [event] */
    uint32_t clause[WIDEST], n;
    struct stuck_wait waits[PREFIX_WAITS];
    uint32_t wait_count;
    bool too_wide;
};

static void add(struct stuck *q, uint32_t literal)
{
    if (q->n < WIDEST)
        q->clause[q->n++] = literal;
    else
        q->too_wide = true;
}

static void end_clause(struct stuck *q)
{
    cdcl_clause(q->s, q->clause, q->n);
    q->n = 0;
}

static void implies(struct stuck *q, uint32_t a, uint32_t b)
{
    add(q, a ^ 1);
    add(q, b);
    end_clause(q);
}

static uint32_t happens(const struct stuck *q, const struct prefix_event *e)
{
    return e ? q->literal[e->number] : SAT_TRUE;
}

/* Is r among what must have happened before e? */
static bool is_before(const struct prefix *p, const struct prefix_event *r,
                      const struct prefix_event *e)
{
    uint32_t thread = p->thread_slot[r->thread];
    ensure(thread && thread < r->tip_count);
    return prefix_above(r->tips[thread].condition, prefix_tip(p, e, thread).condition);
}

/* ---- configurations
 * ------------------------------------------------------------------------------------ */

static void state_causes(struct stuck *q, const struct prefix_event *e)
{
    uint32_t it = happens(q, e);
    implies(q, it, happens(q, e->from->maker));
    if (e->target)
        implies(q, it, happens(q, e->target->maker));
    for (int i = 0; i < e->touches; i++)
        implies(q, it, happens(q, e->touched[i]->maker));
    for (uint32_t i = 0; i < e->read_count; i++)
        implies(q, it, happens(q, e->reads[i]));
}

/* At most one takes c, by a chain of variables: one of the first i does; and who has read it is
 * known to them. */
static void state_takers(struct stuck *q, const struct prefix_condition *c)
{
    uint32_t before = SAT_FALSE;
    for (const struct prefix_condition *below = c->down; below; below = below->beside) {
        uint32_t now = happens(q, below->maker);
        if (c->down->beside) {
            uint32_t taken = cdcl_var(q->s, false);
            implies(q, now, taken);
            if (before != SAT_FALSE) {
                implies(q, before, taken);
                implies(q, before, now ^ 1);
            }
            before = taken;
        }
        for (const struct prefix_link *r = c->readers; r; r = r->next)
            if (!is_before(q->p, r->event, below->maker))
                implies(q, happens(q, r->event), now ^ 1);
    }
}

/* ---- nobody can go on
 * ---------------------------------------------------------------------------------- */

/* c is not there: it was not put, or somebody has taken it. */
static void add_absent(struct stuck *q, const struct prefix_condition *c)
{
    if (c->maker)
        add(q, happens(q, c->maker) ^ 1);
    for (const struct prefix_condition *below = c->down; below; below = below->beside)
        add(q, happens(q, below->maker));
}

static void state_impossible(struct stuck *q, const struct prefix_event *e)
{
    add_absent(q, e->from);
    if (e->target)
        add_absent(q, e->target);
    for (int i = 0; i < e->touches; i++) {
        add_absent(q, e->touched[i]);
        if (e->takes >> i & 1)
            for (const struct prefix_link *r = e->touched[i]->readers; r; r = r->next)
                if (!is_before(q->p, r->event, e))
                    add(q, happens(q, r->event));
    }
    for (uint32_t i = 0; i < e->read_count; i++)
        add(q, happens(q, e->reads[i]) ^ 1);
    end_clause(q);
}

/* ---- who waits
 * ----------------------------------------------------------------------------------------- */

static struct stuck_wait *wait_of(struct stuck *q, const struct match_local *l)
{
    for (uint32_t i = 0; i < q->wait_count; i++) {
        struct stuck_wait *w = &q->waits[i];
        if (w->thread == l->thread && w->kind == l->op.kind && w->object == l->op.object)
            return w;
    }
    if (q->wait_count == PREFIX_WAITS) {
        q->too_wide = true;
        return &q->waits[0];
    }
    struct stuck_wait *w = &q->waits[q->wait_count++];
    *w = (struct stuck_wait){.thread = l->thread,
                             .kind = l->op.kind,
                             .object = l->op.object,
                             .literal = cdcl_var(q->s, false),
                             .some = SAT_FALSE};
    return w;
}

/* The thread stands at c, where it may wait: if and only if the literal. */
static void state_standpoint(struct stuck *q, const struct prefix_condition *c)
{
    const struct match_local *l = c->local;
    ensure(q->p->slots[c->slot].kind == PREFIX_THREAD && l);
    if (l->ended || operation_of(l->op.kind)->object == OBJECT_MEMORY)
        return;
    struct stuck_wait *w = wait_of(q, l);
    uint32_t here = cdcl_var(q->s, false), some = cdcl_var(q->s, false);
    implies(q, here, w->literal);
    implies(q, here, happens(q, c->maker));
    for (const struct prefix_condition *below = c->down; below; below = below->beside)
        implies(q, here, happens(q, below->maker) ^ 1);
    add(q, here);
    add_absent(q, c);
    end_clause(q);
    add(q, some ^ 1); /* some: here, or at one of those before */
    add(q, here);
    add(q, w->some);
    end_clause(q);
    w->some = some;
}

static void state_threads(struct stuck *q)
{
    const struct prefix *p = q->p;
    state_standpoint(q, p->slots[p->thread_slot[0]].root.condition);
    for (uint32_t i = 0; i < p->event_count; i++) {
        const struct prefix_event *e = p->events[i];
        if (e->cut || e->asks)
            continue;
        state_standpoint(q, e->tips[p->thread_slot[e->thread]].condition);
        if (e->begins)
            state_standpoint(q, e->begins);
    }
    for (uint32_t i = 0; i < q->wait_count; i++)
        implies(q, q->waits[i].literal, q->waits[i].some);
    for (uint32_t i = 0; i < q->wait_count; i++)
        add(q, q->waits[i].literal);
    end_clause(q);
}

static bool has_thread(const struct prefix_waits *shown, unsigned thread)
{
    for (uint32_t i = 0; i < shown->count; i++)
        if (shown->who[i].thread == thread)
            return true;
    return false;
}

/* Not just these threads waiting for that. */
static void exclude(struct stuck *q, const struct prefix_waits *shown)
{
    for (uint32_t i = 0; i < q->wait_count; i++) {
        const struct stuck_wait *w = &q->waits[i];
        if (!has_thread(shown, w->thread))
            add(q, w->literal);
        for (uint32_t k = 0; k < shown->count; k++)
            if (shown->who[k].thread == w->thread && shown->who[k].kind == w->kind &&
                shown->who[k].object == w->object)
                add(q, w->literal ^ 1);
    }
    end_clause(q);
}

/* ---- the question
 * -------------------------------------------------------------------------------------- */

static void state_condition(struct stuck *q, const struct prefix_condition *c)
{
    if (c && c->down)
        state_takers(q, c);
}

static void pose(struct stuck *q)
{
    struct prefix *p = q->p;
    ensure(!q->n); /* no clause is left unfinished */
    cdcl_reset(q->s);
    q->wait_count = 0;
    for (uint32_t i = 0; i < p->event_count; i++) {
        const struct prefix_event *e = p->events[i];
        q->literal[i] = e->cut || e->asks ? SAT_FALSE : cdcl_var(q->s, true);
    }
    for (uint32_t s = 1; s < p->slot_count; s++)
        if (p->slots[s].kind != PREFIX_PAIR)
            state_condition(q, p->slots[s].root.condition);
    for (uint32_t i = 0; i < p->event_count; i++) {
        const struct prefix_event *e = p->events[i];
        if (e->asks)
            continue;
        state_impossible(q, e);
        if (e->cut)
            continue;
        state_causes(q, e);
        state_condition(q, e->begins);
        for (uint32_t s = 1; s < e->tip_count; s++) /* what it has put */
            if (p->slots[s].kind != PREFIX_PAIR && e->tips[s].condition &&
                e->tips[s].condition->maker == e && e->tips[s].condition != e->begins)
                state_condition(q, e->tips[s].condition);
    }
    state_threads(q);
    for (uint32_t i = 0; i < p->shown_count; i++)
        exclude(q, &p->shown[i]);
}

static bool keep_shown(struct stuck *q)
{
    struct prefix *p = q->p;
    if (p->shown_count == PREFIX_SHOWN)
        return false;
    struct prefix_waits *shown = &p->shown[p->shown_count++];
    shown->count = 0;
    for (uint32_t i = 0; i < q->wait_count; i++) {
        const struct stuck_wait *w = &q->waits[i];
        if (cdcl_is_true(q->s, w->literal) && shown->count < EVENT_MAX_THREADS)
            shown->who[shown->count++] = (struct prefix_who){w->object, w->thread, w->kind};
    }
    return true;
}

/* The events of the solution into the plan. */
static bool plan_solution(struct stuck *q)
{
    struct prefix *p = q->p;
    p->walk->plan_count = 0;
    for (uint32_t i = 0; i < p->event_count; i++) {
        if (!cdcl_is_true(q->s, q->literal[i]))
            continue;
        if (p->walk->plan_count == p->walk->depth_room)
            return false;
        prefix_plan_step(p, p->events[i]);
    }
    return true;
}

static int prepare(struct prefix *p)
{
    uint64_t size = p->event_count + (uint64_t)p->condition_count;
    uint64_t vars = 4 * size + 64, words = 96 * size + (1 << 20);
    struct match_model *m = p->model;
    uint64_t used = m->arena->used + m->elsewhere, left = used < m->limit ? m->limit - used : 0;
    size_t before = m->arena->used;
    if (p->stuck)
        return 0;
    if (words > left / 4 / sizeof *p->stuck->clause) /* the solver is full, then */
        words = left / 4 / sizeof *p->stuck->clause;
    if (vars > UINT32_MAX || words > UINT32_MAX || VARIABLE * vars > left / 2)
        return -1;
    struct stuck *q = arena_alloc(m->arena, sizeof *q);
    struct cdcl *s = arena_alloc(m->arena, sizeof *s);
    uint32_t *literal = arena_alloc(m->arena, p->event_count * sizeof *literal);
    p->shown = arena_alloc(m->arena, PREFIX_SHOWN * sizeof *p->shown);
    if (!q || !s || !literal || !p->shown ||
        cdcl_init(s, m->arena, (uint32_t)vars, (uint32_t)words))
        return -1;
    m->limit += m->arena->used - before; /* at its largest size */
    q->p = p;
    q->s = s;
    q->literal = literal;
    p->stuck = q;
    return 0;
}

enum answer prefix_stuck(struct prefix *p)
{
    ensure(p->complete);
    if (prepare(p))
        return ANSWER_UNKNOWN;
    struct stuck *q = p->stuck;
    for (;;) {
        pose(q);
        enum answer answer =
            q->too_wide || q->s->full ? ANSWER_UNKNOWN : cdcl_solve(q->s, CONFLICTS);
        if (answer != ANSWER_YES)
            return answer;
        if (!keep_shown(q) || !plan_solution(q))
            return ANSWER_UNKNOWN;
        uint64_t key = 1; /* as match_walk_saw_deadlock has it */
        const struct prefix_waits *shown = &p->shown[p->shown_count - 1];
        for (int t = 0; t < EVENT_MAX_THREADS; t++)
            for (uint32_t i = 0; i < shown->count; i++)
                if (shown->who[i].thread == t)
                    key = match_walk_wait_key(key, t, shown->who[i].kind, shown->who[i].object);
        if (match_walk_new_key(p->walk, key))
            return ANSWER_YES;
    }
}
