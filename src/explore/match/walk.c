#include "explore/match/walk.h"

#include "base/ensure.h"
#include "explore/match/round.h"

#include <string.h>

enum { MOST_SHOWN = 1 << 16, MOST_ASKED = 3, STATES_A_LOOK = 1 << 10 };

struct walk_undo {
    struct match_place *place;
    struct match_local *local;
};

int match_walk_init(struct match_walk *w, struct match_model *m, uint32_t depth)
{
    *w = (struct match_walk){.model = m, .depth_room = depth, .undo_room = depth * 4};
    size_t before = m->arena->used;
    w->undo = arena_alloc(m->arena, w->undo_room * sizeof *w->undo);
    w->tail = arena_alloc(m->arena, depth * sizeof *w->tail);
    w->wanted = arena_alloc(m->arena, depth * sizeof *w->wanted);
    w->way = arena_alloc(m->arena, depth * sizeof *w->way);
    w->plan = arena_alloc(m->arena, depth * sizeof *w->plan);
    w->shown = arena_alloc(m->arena, MOST_SHOWN * sizeof *w->shown);
    m->limit += m->arena->used - before; /* reserved at its largest size, which costs nothing */
    if (!w->undo || !w->tail || !w->wanted || !w->way || !w->plan || !w->shown ||
        match_states_init(&w->states, m))
        return -1;
    match_walk_restart(w);
    return 0;
}

void match_walk_restart(struct match_walk *w)
{
    match_states_reset(&w->states);
    keyset_clear(&w->model->moves);
    w->steps = w->asked = w->asked_for = 0;
    w->edges_from = 0;
    w->ended = (struct tset){{0}};
    w->model->wrong = false;
}

/* ---- markings ----------------------------------------------------------------------------------------- */

static void toggle(struct match_walk *w, uint32_t id)
{
    w->hash[0] ^= match_mix(id, 0x51ed);
    w->hash[1] ^= match_mix(id, 0xc0de);
}

/* A root counts as nothing, so that objects which are found later do not change the hash. */
static void toggle_place(struct match_walk *w, const struct match_place *p)
{
    if (w->model->slots[p->slot]->root == p)
        return;
    toggle(w, p->id);
    w->hash[2] ^= match_mix(p->id, 0xd1ce);
}

static void hash_marking(struct match_walk *w)
{
    const struct match_marking *k = &w->model->walk;
    w->hash[0] = w->hash[1] = w->hash[2] = 1;
    for (int t = 0; t < k->threads; t++)
        toggle(w, k->local[t]->id);
    for (uint32_t i = 0; i < w->model->slot_count; i++)
        toggle_place(w, k->place[i]);
}

static void remember(struct match_walk *w, struct match_place *p, struct match_local *l)
{
    w->undo[w->undo_count++] = (struct walk_undo){.place = p, .local = l};
}

/* Back to the state that is looked at, which had so many threads. */
static void take_back(struct match_walk *w, int threads)
{
    struct match_marking *k = &w->model->walk;
    while (k->threads > threads) {
        toggle(w, k->local[--k->threads]->id);
        k->local[k->threads] = NULL;
    }
    while (w->undo_count) {
        const struct walk_undo *u = &w->undo[--w->undo_count];
        if (u->place) {
            toggle_place(w, k->place[u->place->slot]);
            toggle_place(w, u->place);
            k->place[u->place->slot] = u->place;
        } else if (u->local->thread < threads) {
            toggle(w, k->local[u->local->thread]->id);
            toggle(w, u->local->id);
            k->local[u->local->thread] = u->local;
        }
    }
    w->tail_count = 0;
}

/* The thread goes on; false: no room. */
static bool take(struct match_walk *w, const struct match_step *step, const struct match_effect *e)
{
    struct match_marking *k = &w->model->walk;
    struct match_local *from = k->local[step->thread];
    if (w->tail_count == w->depth_room || w->undo_count + (uint32_t)e->puts + 1 > w->undo_room)
        return false;
    w->tail[w->tail_count++] = *step;
    remember(w, NULL, from);
    match_note_move(w->model, k, from, step->branch);
    toggle(w, from->id);
    toggle(w, e->to->id);
    for (int i = 0; i < e->puts; i++) {
        struct match_place *was = k->place[e->put[i]->slot];
        remember(w, was, NULL);
        toggle_place(w, was);
        toggle_place(w, e->put[i]);
    }
    if (e->created >= 0)
        toggle(w, e->begins->id);
    match_apply(k, from, e);
    w->steps++;
    return true;
}

/* ---- what is to be done at a marking ------------------------------------------------------------------ */

static bool stopped(const struct match_marking *k)
{
    for (int t = 0; t < k->threads; t++)
        if (k->local[t]->stops)
            return true;
    return false;
}

static bool is_private(struct match_model *m, const struct match_local *l)
{
    for (int i = 0; i < l->touches; i++)
        if (m->slots[l->slots[i]]->owner != l->thread)
            return false;
    return l->touches > 0 || operation_of(l->op.kind)->object == OBJECT_MEMORY;
}

static bool concerns_itself(struct match_model *m, const struct match_local *l)
{
    return match_is_local(l->op.kind) || is_private(m, l);
}

/* A thread whose next step concerns only itself, or -1. */
static int alone(struct match_model *m, const struct match_marking *k)
{
    for (int t = 0; t < k->threads; t++) {
        const struct match_local *l = k->local[t];
        if (!l->op.kind || match_status(m, k, t) != MATCH_ENABLED)
            continue;
        if (match_is_local(l->op.kind))
            return t;
        if (!is_private(m, l))
            continue;
        for (int i = 0; i < l->touches; i++)
            m->slots[l->slots[i]]->private_used = true;
        return t;
    }
    return -1;
}

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

/* ---- steps -------------------------------------------------------------------------------------------- */

static struct match_step step_of(struct match_model *m, int t, unsigned branch)
{
    const struct match_local *l = m->walk.local[t];
    int branches = match_branches(m, &m->walk, l);
    return (struct match_step){.thread = (uint16_t)t, .branch = (uint16_t)branch,
                               .branches = branches > 1 ? (uint16_t)branches : 0,
                               .local = match_is_local(l->op.kind)};
}

enum taken { TAKEN, NOT_KNOWN, NO_ROOM };

/* NOT_KNOWN: the step is the last of the tail. */
static enum taken go(struct match_walk *w, int t, unsigned branch)
{
    struct match_model *m = w->model;
    struct match_step step = step_of(m, t, branch);
    struct match_effect e;
    ensure(t >= 0 && t < m->walk.threads);
    bool known = match_effect(m, &m->walk, m->walk.local[t], branch, &e);
    if (known && match_known(e.to) && (e.created < 0 || match_known(e.begins)))
        return take(w, &step, &e) ? TAKEN : NO_ROOM;
    if (m->full || w->tail_count == w->depth_room)
        return NO_ROOM;
    w->tail[w->tail_count++] = step;
    return NOT_KNOWN;
}

/* Threads whose next step concerns only themselves take it, until there is none or they have gone round in
 * a circle. */
static enum taken settle(struct match_walk *w)
{
    struct match_model *m = w->model;
    uint64_t before[3] = {w->hash[0], w->hash[1], w->hash[2]};
    for (uint32_t length = 0, power = 1;; length++) {
        int t = stopped(&m->walk) ? -1 : alone(m, &m->walk);
        if (t < 0 || match_branches(m, &m->walk, m->walk.local[t]) > 1)
            return TAKEN;
        if (length == power) {
            memcpy(before, w->hash, sizeof before);
            length = 0;
            power *= 2;
        }
        enum taken answer = go(w, t, 0);
        if (answer != TAKEN || !memcmp(before, w->hash, sizeof before))
            return answer;
    }
}

static void first_marking(struct match_walk *w)
{
    match_marking_reset(w->model, &w->model->walk);
    w->undo_count = w->tail_count = 0;
    hash_marking(w);
}

static bool tail_into_plan(struct match_walk *w)
{
    if (w->plan_count + w->tail_count > w->depth_room)
        return false;
    memcpy(w->plan + w->plan_count, w->tail, w->tail_count * sizeof *w->tail);
    w->plan_count += w->tail_count;
    w->tail_count = w->undo_count = 0;
    return true;
}

/* The steps to a state, found again in the model. */
static bool plan_to(struct match_walk *w, uint32_t state)
{
    const struct match_found *found = w->states.found;
    uint32_t length = 0;
    w->plan_count = 0;
    first_marking(w);
    for (uint32_t s = state; w->states.count && s != found[s].from; s = found[s].from) {
        if (length == w->depth_room)
            return false;
        w->way[length++] = s;
    }
    for (;; length--) {
        if (w->states.count && settle(w) != TAKEN)
            return false;
        if (!length)
            return tail_into_plan(w);
        const struct match_found *f = &found[w->way[length - 1]];
        if (go(w, f->thread, f->branch) != TAKEN || !tail_into_plan(w))
            return false;
    }
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
    uint32_t more = w->tail_count;
    memcpy(w->wanted, w->tail, more * sizeof *w->tail);
    if (!plan_to(w, w->states.next))
        return w->model->full ? WALK_FULL : WALK_LOST;
    memcpy(w->tail, w->wanted, more * sizeof *w->tail);
    w->tail_count = more;
    return tail_into_plan(w) ? match_walk_ask(w) : WALK_LOST;
}

bool match_walk_new_round(struct match_walk *w, const struct tset *threads)
{
    uint64_t h = 3;
    TSET_FOR(t, threads)
        h = match_mix(h, (uint64_t)t);
    return match_walk_new_key(w, h);
}

bool match_walk_plan_round(struct match_walk *w, const struct match_round *r, uint32_t begin[2])
{
    if (!plan_to(w, r->start))
        return false;
    for (int round = 0; round < 2; round++) {
        begin[round] = w->plan_count;
        for (uint32_t i = 0; i < r->count; i++)
            if (go(w, r->steps[i].thread, r->steps[i].branch) != TAKEN || settle(w) != TAKEN ||
                !tail_into_plan(w))
                return false;
    }
    return true;
}

static enum walk_answer answer_of(struct match_walk *w, enum taken t)
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
static enum walk_answer enter(struct match_walk *w, struct tset *todo)
{
    struct match_model *m = w->model;
    struct match_marking *k = &m->walk;
    bool unknown = false, parked = false, waits = false;
    for (int t = 0; t < k->threads; t++) {
        enum match_status s = match_status(m, k, t);
        if (s == MATCH_ENABLED)
            tset_add(todo, t);
        unknown |= s == MATCH_UNKNOWN && !k->local[t]->parked;
        parked |= s == MATCH_UNKNOWN && k->local[t]->parked;
        waits |= !k->local[t]->ended;
    }
    if (unknown || (parked && !tset_empty(todo)))
        return ask(w);
    if (tset_empty(todo) && waits && match_walk_new_key(w, deadlock_key(k)))
        return ask(w);
    return show_races(w, todo);
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

/* The state that the tail leads to. */
static enum walk_answer arrive(struct match_walk *w, struct match_edge *by, int threads)
{
    struct match_states *s = &w->states;
    enum walk_answer a = answer_of(w, settle(w));
    if (a != WALK_DONE)
        return a;
    uint32_t to = match_states_add(s, w->hash, &w->model->walk, by, s->next);
    if (to == UINT32_MAX && !w->model->full) {
        w->fresh = true;
        note_ended(w);
        to = s->count - 1;
    }
    by->to = to;
    if (by->thread < EVENT_MAX_THREADS)
        match_states_edge(s, by);
    take_back(w, threads);
    return w->model->full ? WALK_FULL : WALK_DONE;
}

/* All steps of these threads. */
static enum walk_answer steps_of(struct match_walk *w, struct tset *todo)
{
    struct match_marking *k = &w->model->walk;
    int threads = k->threads;
    for (int t; (t = last_of(todo)) >= 0; tset_remove(todo, t))
        for (int b = 0; b < match_branches(w->model, k, k->local[t]); b++) {
            struct match_edge by = {.thread = (uint16_t)t, .branch = (uint16_t)b & 0x7fff};
            by.own = concerns_itself(w->model, k->local[t]);
            enum walk_answer a = answer_of(w, go(w, t, (unsigned)b));
            if (a == WALK_DONE)
                a = arrive(w, &by, threads);
            if (a != WALK_DONE || w->model->wrong)
                return a;
        }
    return WALK_DONE;
}

/* Everything that can be done in the first state of the queue. */
static enum walk_answer look(struct match_walk *w)
{
    struct match_model *m = w->model;
    struct match_states *s = &w->states;
    struct tset todo = {{0}};
    w->fresh = false;
    w->undo_count = w->tail_count = 0;
    s->edge_count = s->found[s->next].edges = w->edges_from;
    hash_marking(w);
    ensure(!memcmp(w->hash, s->found[s->next].hash, 2 * sizeof *w->hash));
    if (stopped(&m->walk))
        return WALK_DONE;
    int own = alone(m, &m->walk);
    if (own >= 0 && match_branches(m, &m->walk, m->walk.local[own]) > 1) {
        tset_add(&todo, own);
        enum walk_answer a = steps_of(w, &todo);
        if (a != WALK_DONE || m->wrong || w->fresh)
            return a;
        s->edge_count = w->edges_from; /* it may choose for ever: the others, too */
    }
    enum walk_answer a = enter(w, &todo);
    return a == WALK_DONE && !m->wrong ? steps_of(w, &todo) : a;
}

/* The first state; until it is known what main does, there is none. */
static enum walk_answer begin(struct match_walk *w)
{
    first_marking(w);
    if (!match_known(w->model->walk.local[0]))
        return ask(w);
    return arrive(w, &(struct match_edge){.thread = UINT16_MAX}, 1);
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
        match_states_done(s);
        if (s->next % STATES_A_LOOK == 0 && w->go_on && !w->go_on())
            return WALK_PAUSED;
    }
}
