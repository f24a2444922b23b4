#include "explore/match/walk_step.h"

#include "base/ensure.h"
#include "explore/match/round.h"

#include <string.h>

enum { MOST_SHOWN = 1 << 16, MOST_ASKED = 3, STATES_A_LOOK = 1 << 10 };

int match_walk_init(struct match_walk *w, struct match_model *m, uint32_t depth)
{
    *w = (struct match_walk){.model = m, .depth_room = depth, .undo_room = depth * 4, .most = UINT64_MAX};
    size_t before = m->arena->used;
    w->undo = arena_alloc(m->arena, w->undo_room * sizeof *w->undo);
    w->tail = arena_alloc(m->arena, depth * sizeof *w->tail);
    w->way = arena_alloc(m->arena, depth * sizeof *w->way);
    w->plan = arena_alloc(m->arena, depth * sizeof *w->plan);
    w->shown = arena_alloc(m->arena, MOST_SHOWN * sizeof *w->shown);
    m->limit += m->arena->used - before; /* reserved at its largest size, which costs nothing */
    if (!w->undo || !w->tail || !w->way || !w->plan || !w->shown ||
        match_states_init(&w->states, m))
        return -1;
    match_walk_restart(w);
    return 0;
}

void match_walk_restart(struct match_walk *w)
{
    match_states_reset(&w->states);
    match_forget_moves(w->model);
    w->asked = w->asked_for = 0;
    w->transitions = w->transitions_from = w->edges_from = 0;
    w->finals = 0;
    w->ended = w->endless = (struct tset){{0}};
    w->model->wrong = false;
}

/* ---- what was shown ------------------------------------------------------------------------------------ */

bool match_walk_new_key(struct match_walk *w, uint64_t key)
{
    for (uint32_t i = 0; i < w->shown_count; i++)
        if (w->shown[i] == key)
            return false;
    if (w->shown_count < MOST_SHOWN)
        w->shown[w->shown_count++] = key;
    return true;
}

/* Who waits for what. */
static uint64_t deadlock_key(const struct match_marking *k)
{
    uint64_t h = 1;
    for (int t = 0; t < k->threads; t++)
        if (!k->local[t]->ended)
            h = match_walk_wait_key(h, t, k->local[t]->op.kind, k->local[t]->op.object);
    return h;
}

void match_walk_saw_deadlock(struct match_walk *w, const struct match_marking *k)
{
    match_walk_new_key(w, deadlock_key(k));
}

/* ---- plans --------------------------------------------------------------------------------------------- */

static bool tail_into_plan(struct match_walk *w)
{
    if (w->plan_count + w->tail_count > w->depth_room)
        return false;
    memcpy(w->plan + w->plan_count, w->tail, w->tail_count * sizeof *w->tail);
    w->plan_count += w->tail_count;
    w->tail_count = w->undo_count = 0;
    return true;
}

static bool plan_to(struct match_walk *w, uint32_t state)
{
    uint32_t count = w->states.count ? match_states_way(&w->states, state, w->plan, w->depth_room) : 0;
    w->plan_count = count;
    return count != UINT32_MAX;
}

enum walk_answer match_walk_ask(struct match_walk *w)
{
    uint64_t h = 1;
    for (uint32_t i = 0; i < w->plan_count; i++)
        h = match_mix(match_mix(h, w->plan[i].thread), w->plan[i].branch);
    w->asked = h == w->asked_for ? w->asked + 1 : 0;
    w->asked_for = h;
    return w->asked > MOST_ASKED ? WALK_LOST : WALK_EXECUTE;
}

/* An execution that takes the steps to the state that is looked at, then those of the tail. */
static enum walk_answer ask(struct match_walk *w)
{
    return plan_to(w, w->states.next) && tail_into_plan(w) ? match_walk_ask(w) : WALK_LOST;
}

bool match_walk_new_round(struct match_walk *w, const struct tset *threads)
{
    uint64_t h = 3;
    TSET_FOR(t, threads)
        h = match_mix(h, (uint64_t)t);
    return match_walk_new_key(w, h);
}

/* The marking becomes that of the state. */
static bool go_along(struct match_walk *w, uint32_t state)
{
    const struct match_states *s = &w->states;
    uint32_t length = 0;
    walk_first_marking(w);
    for (uint32_t i = state; i != s->found[i].from; i = s->found[i].from) {
        if (length == w->depth_room)
            return false;
        w->way[length++] = i;
    }
    for (;; length--) {
        if (walk_settle(w) != TAKEN)
            return false;
        w->tail_count = w->undo_count = 0;
        if (!length)
            return true;
        const struct match_step *step = &s->steps[s->found[w->way[length - 1]].steps];
        if (walk_go(w, step->thread, step->branch) != TAKEN)
            return false;
    }
}

bool match_walk_plan_round(struct match_walk *w, const struct match_round *r, uint32_t begin[2])
{
    if (!plan_to(w, r->start) || !go_along(w, r->start))
        return false;
    for (int round = 0; round < 2; round++) {
        begin[round] = w->plan_count;
        for (uint32_t i = 0; i < r->count; i++)
            if (walk_go(w, r->steps[i].thread, r->steps[i].branch) != TAKEN || walk_settle(w) != TAKEN ||
                !tail_into_plan(w))
                return false;
    }
    return true;
}

static enum walk_answer answer_of(struct match_walk *w, enum walk_taken t)
{
    return t == TAKEN ? WALK_DONE : t == NOT_KNOWN ? ask(w) : WALK_FULL;
}

bool match_walk_new_race(struct match_walk *w, const struct event *x, const struct event *y)
{
    uint64_t low = x->pc < y->pc ? x->pc : y->pc, high = x->pc < y->pc ? y->pc : x->pc;
    return match_racing(x, y) && match_walk_new_key(w, match_mix(match_mix(2, low), high));
}

/* Two threads that stand before accesses that race, which no execution has shown yet. */
static bool find_race(struct match_walk *w, const struct tset *enabled, struct match_step *steps)
{
    struct match_local *const *local = w->model->walk.local;
    TSET_FOR(a, enabled)
        for (int b = a + 1; b < w->model->walk.threads; b++) {
            if (!tset_has(enabled, b) || !match_walk_new_race(w, &local[a]->op, &local[b]->op))
                continue;
            steps[0] = (struct match_step){.thread = (uint16_t)a};
            steps[1] = (struct match_step){.thread = (uint16_t)b};
            return true;
        }
    return false;
}

/* Races that can be seen at the marking. */
static enum walk_answer show_races(struct match_walk *w, const struct tset *enabled)
{
    struct match_step race[2];
    if (!w->races || !find_race(w, enabled, race))
        return WALK_DONE;
    memcpy(w->tail, race, sizeof race);
    w->tail_count = 2;
    return ask(w);
}

/* Who can go on from the state that is looked at; what must be executed first, is. */
static enum walk_answer enter(struct match_walk *w, struct tset *enabled)
{
    struct match_model *m = w->model;
    struct match_marking *k = &m->walk;
    bool unknown = false, parked = false, waits = false;
    for (int t = 0; t < k->threads; t++) {
        enum match_status s = match_status(m, k, t);
        if (s == MATCH_ENABLED)
            tset_add(enabled, t);
        unknown |= s == MATCH_UNKNOWN && !k->local[t]->parked;
        parked |= s == MATCH_UNKNOWN && k->local[t]->parked;
        waits |= !k->local[t]->ended;
    }
    if (unknown || (parked && !tset_empty(enabled)))
        return ask(w);
    if (tset_empty(enabled) && waits && match_walk_new_key(w, deadlock_key(k)))
        return ask(w);
    return show_races(w, enabled);
}

/* Threads that were created later first: main, which often looks at what the others have done, then comes to
 * most of what it can see there by executions that were needed for the others. */
static int last_of(const struct tset *s)
{
    int last = -1;
    TSET_FOR(t, s)
        last = t;
    return last;
}

static void note_ended(struct match_walk *w)
{
    const struct match_marking *k = &w->model->walk;
    for (int t = 0; t < k->threads; t++)
        if (k->local[t]->ended)
            tset_add(&w->ended, t);
}

/* ---- sleep sets ----------------------------------------------------------------------------------------
 *
 * A state is looked at with those asleep that were when it was first come to; who comes to it
 * again with fewer asleep does not matter, since states are looked at in the order in which they
 * are found: if h sleeps in x, the state x-h is come to from one that was found before x. For let
 * x be found from r by a step of g, after which h sleeps. Either h's step was taken in r before,
 * so y = r-h was found before x; or h sleeps in r too, and y was come to from a state found
 * before r (induction). x-h is y-g: it is come to from y, which is looked at before x, or if g
 * sleeps in y from a state found before y (induction). Steps for which that would not hold, since
 * others do not come to the same after them as before them, put nobody to sleep and wake
 * everybody (`alike`). */

static bool only_reads(const struct match_local *l)
{
    return operation_of(l->op.kind)->object == OBJECT_MEMORY && event_class(l->op.kind) == CLASS_READ;
}

/* Do two threads come to the same by their next steps, in either order? */
static bool independent(const struct match_local *a, const struct match_local *b)
{
    if (only_reads(a) && only_reads(b))
        return true;
    for (int i = 0; i < a->touches; i++)
        for (int k = 0; k < b->touches; k++)
            if (a->slots[i] == b->slots[k])
                return false;
    return true;
}

/* Of those whose steps need not be taken after others, those that need not be after one of this thread. */
static uint64_t asleep_after(const struct match_walk *w, int thread)
{
    ensure(w->sleeps || !w->done);
    struct match_local *const *local = w->model->walk.local;
    uint64_t asleep = 0;
    for (uint64_t left = w->done; left; left &= left - 1) {
        int t = __builtin_ctzll(left);
        ensure(t != thread); /* it would not be taking a step */
        if (independent(local[t], local[thread]))
            asleep |= 1ull << t;
    }
    return asleep;
}

static struct tset awake(const struct match_walk *w, const struct tset *enabled)
{
    const struct match_states *s = &w->states;
    struct tset todo = {{0}};
    uint64_t asleep = s->found[s->next].asleep;
    TSET_FOR(t, enabled)
        if (t >= MATCH_SLEEPERS || !(asleep >> t & 1))
            tset_add(&todo, t);
    return todo;
}

/* ---- the next states ----------------------------------------------------------------------------------- */

/* The state that the tail leads to, with these asleep in it. `alike`: it leads to something like that after
 * what others do, too. */
static enum walk_answer arrive(struct match_walk *w, struct match_edge *by, int threads, uint64_t asleep,
                               bool *alike)
{
    struct match_states *s = &w->states;
    struct match_marking *k = &w->model->walk;
    enum walk_answer a = answer_of(w, walk_settle(w));
    if (a != WALK_DONE)
        return a;
    /* Others get other numbers after it, or do not go on; or its thread is to choose first. */
    if (k->threads > threads || walk_stopped(w->model) || w->alone) {
        *alike = false;
        asleep = 0;
    }
    uint32_t to = match_states_add(s, w->hash, k, w->tail, w->tail_count);
    if (to == UINT32_MAX && !w->model->full) {
        note_ended(w);
        to = s->count - 1;
        if (w->sleeps)
            s->found[to].asleep = asleep;
    }
    /* Also if it is looked at again. */
    w->fresh |= to > s->next && to < s->count && s->found[to].from == s->next;
    by->to = to;
    w->transitions += by->thread < EVENT_MAX_THREADS;
    if (by->thread < EVENT_MAX_THREADS && !w->sleeps)
        match_states_edge(s, by);
    walk_take_back(w, threads);
    return w->model->full ? WALK_FULL : WALK_DONE;
}

/* All steps of these threads. */
static enum walk_answer steps_of(struct match_walk *w, struct tset *todo)
{
    struct match_marking *k = &w->model->walk;
    int threads = k->threads;
    for (int t; (t = last_of(todo)) >= 0; tset_remove(todo, t)) {
        uint64_t asleep = asleep_after(w, t);
        bool alike = t < MATCH_SLEEPERS && w->sleeps;
        for (int b = 0; b < match_branches(w->model, k, k->local[t]); b++) {
            struct match_edge by = {.thread = (uint16_t)t, .branch = (uint16_t)b & 0x7fff};
            by.own = walk_concerns_itself(w->model, k->local[t]);
            enum walk_answer a = answer_of(w, walk_go(w, t, (unsigned)b));
            if (a == WALK_DONE)
                a = arrive(w, &by, threads, asleep, &alike);
            if (a != WALK_DONE || w->model->wrong)
                return a;
        }
        w->done |= alike ? 1ull << t : 0;
    }
    return WALK_DONE;
}

/* The step of a thread that chooses and concerns nobody else: the others need not take theirs, unless it
 * leads nowhere new, since it may choose for ever. */
static enum walk_answer step_alone(struct match_walk *w, int thread)
{
    struct match_states *s = &w->states;
    struct tset todo = {{0}};
    ensure(!w->sleeps || !s->found[s->next].asleep); /* arrive() has woken everybody */
    tset_add(&todo, thread);
    enum walk_answer a = steps_of(w, &todo);
    if (!w->fresh) {
        s->edge_count = w->edges_from;
        w->transitions = w->transitions_from;
    }
    return a;
}

/* Everything that can be done in the first state of the queue. */
static enum walk_answer look(struct match_walk *w)
{
    struct match_model *m = w->model;
    struct match_states *s = &w->states;
    struct tset enabled = {{0}}, todo;
    w->fresh = false;
    w->done = 0;
    w->undo_count = w->tail_count = 0;
    s->edge_count = s->found[s->next].edges = w->edges_from;
    w->transitions = w->transitions_from;
    memcpy(w->hash, s->found[s->next].hash, sizeof s->found[s->next].hash);
    w->hash[2] = s->found[s->next].places;
    w->ends = walk_stopped(m);
    if (w->ends)
        return WALK_DONE;
    int own = walk_alone(m, &m->walk);
    if (own >= 0 && match_branches(m, &m->walk, m->walk.local[own]) > 1) {
        enum walk_answer a = step_alone(w, own);
        if (a != WALK_DONE || m->wrong || w->fresh)
            return a;
    }
    enum walk_answer a = enter(w, &enabled);
    w->ends = tset_empty(&enabled);
    todo = w->sleeps ? awake(w, &enabled) : enabled;
    w->done = w->sleeps ? s->found[s->next].asleep : 0;
    return a == WALK_DONE && !m->wrong ? steps_of(w, &todo) : a;
}

/* The first state; until it is known what main does, there is none. */
static enum walk_answer begin(struct match_walk *w)
{
    bool alike;
    walk_first_marking(w);
    if (!match_known(w->model->walk.local[0]))
        return ask(w);
    return arrive(w, &(struct match_edge){.thread = UINT16_MAX}, 1, 0, &alike);
}

enum walk_answer match_walk_on(struct match_walk *w)
{
    struct match_model *m = w->model;
    struct match_states *s = &w->states;
    for (bool first;;) {
        if (m->wrong)
            match_walk_restart(w);
        first = !s->count;
        if (!first && !match_states_first(s, &m->walk))
            return WALK_DONE;
        enum walk_answer a = first ? begin(w) : look(w);
        if (m->full)
            return WALK_FULL;
        if (m->wrong) /* something was noticed on the way */
            continue;
        if (a != WALK_DONE)
            return a;
        if (first)
            continue;
        w->edges_from = s->edge_count;
        w->transitions_from = w->transitions;
        w->finals += w->ends;
        match_states_done(s);
        if (s->count > w->most)
            return WALK_ENOUGH;
        if (s->next % STATES_A_LOOK == 0 && w->go_on && !w->go_on())
            return WALK_PAUSED;
    }
}
