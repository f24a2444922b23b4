/* Stateful testing (section 7.3 of the thesis that model.h names, figure 7.5): markings of a model that is
 * learnt from executions are searched depth first (walk.c), and the program is run only where the model
 * does not know what comes next. Every execution is followed in the model, and compared with what it
 * foretells. */
#include "explore/match/stateful.h"

#include "base/ensure.h"

#include <string.h>

/* Nothing is known yet, or not any more, but which memory is shared and in which parts. */
static int learn_anew(struct engine *e, uint64_t limit)
{
    struct stateful *s = e->state;
    uint32_t foreign = s->model.foreign_count;
    struct parts parts = s->model.parts;
    uint64_t late[MATCH_LATE];
    uint32_t late_count = s->model.late_count;
    memcpy(late, s->model.late, sizeof late);
    s->model = (struct match_model){.values = e->config->match != MATCH_BY_WRITER,
                                    .states = e->config->match >= MATCH_STATES,
                                    .exact = e->config->match == MATCH_EXACT, .parts = parts,
                                    .foreign = s->foreign, .foreign_count = foreign,
                                    .late_count = late_count};
    memcpy(s->model.late, late, sizeof late);
    return match_model_init(&s->model, e->arena, limit);
}

static int stateful_init(struct engine *e)
{
    struct stateful *s = e->state = arena_alloc(e->arena, sizeof *s);
    if (!s || learn_anew(e, e->arena->used + engine_memory(e)) ||
        match_walk_init(&s->walk, &s->model, e->trace->event_room) ||
        match_past_init(&s->past, &s->model, e->trace->event_room))
        return -1;
    s->walk.races = e->config->races != RACES_OFF;
    return 0;
}

static int unfold_init(struct engine *e)
{
    if (stateful_init(e))
        return -1;
    struct stateful *s = e->state;
    s->prefix = arena_alloc(e->arena, sizeof *s->prefix);
    s->unfolds = engine_option(e, "unfold", 0);
    return s->prefix ? prefix_init(s->prefix, &s->walk, e->trace->event_room) : -1;
}

static void stateful_begin(struct engine *e)
{
    struct stateful *s = e->state;
    s->plan_at = s->past.planned;
    s->lost = false;
    memset(s->branch_at, 0, sizeof s->branch_at);
    memset(s->choices, 0, sizeof s->choices);
    s->noted = (struct tset){{0}};
    s->went_round = false;
    s->writing = s->awaits = false;
    s->quiet = 0;
    s->model.peek = e->peek; /* of this process, as what follows */
    e->captures = s->model.states;
    e->foreign = s->foreign;
    e->foreign_count = s->model.foreign_count;
    e->cuts = e->captures;
    match_past_rewind(&s->past, &s->model);
    e->trace->prefix = s->past.steps;
    e->trace->known = s->past.known;
}

/* The verdict cannot be "safe": this could not be followed. */
static void not_known(struct engine *e, const struct event *op)
{
    struct stateful *s = e->state;
    s->lost = true;
    engine_not_known(e, s->why, op);
}

static bool known_object(unsigned kind)
{
    return kind == OBJECT_NONE || (kind >= OBJECT_MEMORY && kind <= OBJECT_BARRIER) || kind == OBJECT_THREAD;
}

static bool follows(const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    return known_object(o->object) && o->touch != TOUCH_SET && o->touch != TOUCH_ENDS &&
           !(op->flags & (EVENT_SPUN | EVENT_SPINNING | EVENT_CANCELLABLE)) &&
           (o->object != OBJECT_THREAD || match_is_local(op->kind)) &&
           !(o->object == OBJECT_MUTEX && op->size == UNLOCK_ENDED); /* making it consistent is no event */
}

/* ---- an execution ------------------------------------------------------------------------------------- */

/* Something is not as the model has it, and nothing tells why. */
static void has_strayed(struct engine *e, const char *what)
{
    struct stateful *s = e->state;
    s->lost = true;
    if (!e->incomplete)
        e->incomplete = what;
}

/* Does the thread's next operation depend on what was put? */
static bool touches_some(const struct match_local *l, const struct match_effect *e)
{
    for (int i = 0; i < e->puts; i++)
        for (int k = 0; k < l->touches; k++)
            if (l->slots[k] == e->put[i]->slot)
                return true;
    return false;
}

static void follow(struct engine *e, const struct event *ev, unsigned branch, unsigned branches)
{
    struct stateful *s = e->state;
    struct match_effect effect;
    if (s->lost || s->model.full || s->model.begins_anew)
        return;
    if (!follows(ev) || !match_observe(&s->model, ev, branch, branches, &effect)) {
        if (s->model.strays)
            has_strayed(e, "a thread wrote something else than before, though it had done and seen the same");
        else if (!s->model.full)
            not_known(e, ev);
        return;
    }
    const struct match_local *from = s->model.now.local[ev->thread];
    match_past_note(&s->past, &s->model.now, s->event, from, &effect);
    match_apply(&s->model.now, from, &effect);
    TSET_FOR(t, &s->noted)
        if (touches_some(s->model.now.local[t], &effect))
            tset_remove(&s->noted, t);
}

/* A plain write was announced; now it is known what it wrote. */
static void settle(struct engine *e)
{
    struct stateful *s = e->state;
    if (!s->writing)
        return;
    if (e->peek) {
        s->written.value = e->peek(s->written.object, s->written.size);
        stateful_late_begin(s, &s->written);
    }
    follow(e, &s->written, 0, 0);
    s->writing = false;
}

/* With --match states: which local state is it, by what the thread has of its own? */
static void note_own(struct engine *e, int t, const struct event *op)
{
    struct stateful *s = e->state;
    const struct captured *c = &e->captured[t];
    match_note_foreign(&s->model, op);
    if (c->count && !match_is_own(&s->model, &s->model.now.local[t], c) && !s->model.full)
        has_strayed(e, "a thread came to another state than before by the same steps");
}

static void note_stand(struct engine *e, int t, const struct event *op)
{
    struct stateful *s = e->state;
    struct match_local *l = s->model.now.local[t];
    struct event leave = {.thread = (uint16_t)t};
    if (s->lost || !l || l->ended || s->model.begins_anew)
        return;
    if (!op->kind && l->from) {
        leave.kind = operation_of(l->from->op.kind)->then;
        leave.object = l->from->op.object;
        op = &leave;
    }
    if (!op->kind) {
        l->parked = true;
        return;
    }
    if (s->model.states) {
        note_own(e, t, op);
        l = s->model.now.local[t];
    }
    if (s->lost || s->model.begins_anew)
        return;
    if (!follows(op) || (!match_stands(&s->model, l, op) && !s->model.full))
        not_known(e, op);
}

/* Compares who can go on with what the model says, and keeps what it does not say. */
static void note_status(struct stateful *s, int t, bool enabled)
{
    struct match_model *m = &s->model;
    struct match_local *l = m->now.local[t];
    enum match_status shown = enabled ? MATCH_ENABLED : MATCH_BLOCKED;
    if (!l || l->ended || !l->op.kind || match_is_local(l->op.kind))
        return;
    if (match_status(m, &m->now, t) == shown)
        return;
    if (match_status(m, &m->now, t) != MATCH_UNKNOWN)
        l->observed = m->wrong = true;
    struct match_fact *f = match_fact(m, &m->now, l, MATCH_NO_BRANCH, true);
    if (f)
        f->status = shown;
}

/* The plan goes round a circle twice. Gives the answer of choose() after that; 0: it goes on. */
static int in_round(struct engine *e)
{
    struct stateful *s = e->state;
    uint32_t now = e->trace->step_count;
    if (!s->round_begins[1])
        return 0;
    for (int i = 0; i < 2; i++)
        if (s->plan_at == s->round_begins[i])
            s->round_steps[i] = now;
    if (s->plan_at < s->walk.plan_count)
        return 0;
    e->round = now - s->round_steps[1];
    s->went_round = !s->lost;
    return s->lost ? ENGINE_ABANDON : ENGINE_ROUND;
}

/* Where threads stand and who can go on, as far as that is not the same as at the last decision. */
static void note_threads(struct engine *e, const struct decision *d)
{
    struct stateful *s = e->state;
    struct tset todo = *d->live;
    for (int i = 0; i < TSET_WORDS; i++)
        todo.w[i] &= ~s->noted.w[i];
    TSET_FOR(t, &todo)
        note_stand(e, t, &d->next[t]);
    TSET_FOR(t, &todo)
        if (!s->lost && !s->model.begins_anew) {
            note_status(s, t, tset_has(d->enabled, t));
            tset_add(&s->noted, t);
        }
}

static int stateful_choose(struct engine *e, const struct decision *d)
{
    struct stateful *s = e->state;
    s->model.owner_of = e->owner_of;
    stateful_late_look(e);
    settle(e);
    note_threads(e, d);
    if (s->model.begins_anew)
        return ENGINE_ABANDON;
    for (;; s->plan_at++) {
        int answer = in_round(e);
        if (answer)
            return answer;
        if (s->plan_at >= s->walk.plan_count || !s->walk.plan[s->plan_at].local)
            break;
    }
    if (s->plan_at < s->walk.plan_count) {
        int t = s->walk.plan[s->plan_at++].thread;
        if (tset_has(d->enabled, t))
            return t;
        s->plan_at = s->walk.plan_count; /* the model was wrong, and knows it now */
        s->round_begins[1] = 0;
    }
    return stateful_free_choice(s, d);
}

/* A value that leads to what the model does not know yet, if there is one. */
static int free_branch(struct stateful *s, const struct event *op, int n, int usual)
{
    struct match_model *m = &s->model;
    struct match_local *l = m->now.local[op->thread];
    struct match_effect e;
    if (s->lost || !l || l->op.kind != op->kind || l->branches != n)
        return usual;
    for (int b = 0; b < n; b++)
        if (match_effect(m, &m->now, l, (unsigned)b, &e) && !match_known(e.to))
            return b;
    return usual;
}

static int stateful_branch(struct engine *e, const struct event *op, int n)
{
    struct stateful *s = e->state;
    uint32_t *at = &s->branch_at[op->thread];
    int value = e->usual;
    settle(e);
    while (*at < s->walk.plan_count &&
           (s->walk.plan[*at].thread != op->thread || !s->walk.plan[*at].branches))
        ++*at;
    if (*at < s->walk.plan_count && s->walk.plan[*at].branch < n)
        value = s->walk.plan[(*at)++].branch;
    else
        value = free_branch(s, op, n, value);
    if (s->choices[op->thread])
        not_known(e, op); /* two choices in one operation */
    s->choice[op->thread] = (uint16_t)value;
    s->choices[op->thread] = (uint16_t)n;
    return value;
}

static void stateful_observe(struct engine *e, const struct event *ev)
{
    struct stateful *s = e->state;
    s->model.owner_of = e->owner_of;
    unsigned branches = s->choices[ev->thread], branch = branches ? s->choice[ev->thread] : 0;
    settle(e);
    stateful_late_observe(e, ev);
    s->event = (uint32_t)(ev - e->trace->events);
    s->choices[ev->thread] = 0;
    tset_remove(&s->noted, ev->thread);
    if (operation_is(ev->kind, OP_OF_THREAD) && operation_is(ev->kind, OP_SILENT))
        return; /* its start is part of its creation */
    if (operation_is(ev->kind, OP_PLAIN) && event_class(ev->kind) == CLASS_WRITE &&
        !operation_is(ev->kind, OP_EVERYWHERE)) {
        s->written = *ev;
        s->writing = true;
        return;
    }
    follow(e, ev, branch, branches);
}

/* ---- the next one -------------------------------------------------------------------------------------- */

/* What the end of the execution tells: who ended the program, who waits. */
static void note_end(struct engine *e, enum outcome o)
{
    struct stateful *s = e->state;
    struct match_marking *k = &s->model.now;
    bool stops = false;
    s->model.owner_of = e->owner_of;
    TSET_FOR(t, e->live)
        note_stand(e, t, &e->next[t]);
    if (o == OUTCOME_ABANDONED || s->went_round)
        return;
    for (int t = 0; t < k->threads && !s->lost; t++) {
        struct match_local *l = k->local[t];
        if (l->ended || tset_has(e->live, t))
            continue;
        l->stops = s->model.stops = stops = true;
    }
    if (o != OUTCOME_COMPLETE || stops || tset_empty(e->live) || s->lost)
        return;
    match_walk_saw_deadlock(&s->walk, k);
    TSET_FOR(t, e->live)
        note_status(s, t, false);
}

static int stateful_end(struct engine *e, enum outcome o)
{
    struct stateful *s = e->state;
    settle(e);
    if (!s->lost && !s->model.full && !s->model.begins_anew)
        note_end(e, o);
    if (s->model.begins_anew && !s->model.full) {
        if (!learn_anew(e, s->model.limit)) {
            match_past_forget(&s->past);
            stateful_search_again(s);
            return ENGINE_AGAIN;
        }
        s->model.full = true;
    }
    s->walk.go_on = e->go_on; /* of this process */
    s->model.guarded = s->walk.sleeps = !s->model.states && !e->config->graph;
    if (s->round_begins[1] && o != OUTCOME_COMPLETE && !e->incomplete)
        e->incomplete = "threads could not be made to go round for ever, as they can by their states";
    s->round_begins[1] = 0;
    enum walk_answer answer = stateful_search(e);
    match_past_forget(&s->past);
    if (answer == WALK_EXECUTE && !s->lost && !s->model.states && o != OUTCOME_DIVERGED)
        match_past_share(&s->past, e->trace, s->walk.plan, s->walk.plan_count);
    stateful_tell_graph(e);
    if (answer == WALK_FULL)
        limit_reached(e->limits, LIMIT_MEMORY, engine_memory(e) >> 10);
    if (answer == WALK_LOST && !e->incomplete)
        e->incomplete = "an execution did not show what it was run for";
    return answer == WALK_EXECUTE || answer == WALK_PAUSED;
}

const struct engine_class engine_stateful = {
    .guarantee = "every local state of every thread and every deadlock",
    .every_access = 1,
    .init = stateful_init,
    .begin = stateful_begin,
    .choose = stateful_choose,
    .branch = stateful_branch,
    .observe = stateful_observe,
    .end = stateful_end,
};

const struct engine_class engine_stateful_unfold = {
    .guarantee = "every local state of every thread and every deadlock",
    .every_access = 1,
    .settings = "unfold",
    .init = unfold_init,
    .begin = stateful_begin,
    .choose = stateful_choose,
    .branch = stateful_branch,
    .observe = stateful_observe,
    .end = stateful_end,
};
