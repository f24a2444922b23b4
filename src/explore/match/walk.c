#include "explore/match/walk.h"

#include "base/ensure.h"

#include <string.h>

enum { MOST_SHOWN = 1 << 16, MOST_ASKED = 3, STEPS_A_LOOK = 1 << 14 };

struct walk_undo {
    struct match_place *place;
    struct match_local *local;
};

/* A marking, and what is left to be done there. */
struct walk_frame {
    struct tset todo;
    struct match_step step; /* that led here; none for the first */
    uint32_t undo, threads; /* as they were before it */
    uint16_t next_branch;
    enum { NEW, ENTERED, READY } stage;
};

int match_walk_init(struct match_walk *w, struct match_model *m, uint32_t depth)
{
    *w = (struct match_walk){.model = m, .depth_room = depth, .undo_room = depth * 8};
    w->frames = arena_alloc(m->arena, depth * sizeof *w->frames);
    w->undo = arena_alloc(m->arena, w->undo_room * sizeof *w->undo);
    w->plan = arena_alloc(m->arena, depth * sizeof *w->plan);
    w->shown = arena_alloc(m->arena, MOST_SHOWN * sizeof *w->shown);
    w->visited_room = 1 << 14;
    w->visited = arena_alloc(m->arena, w->visited_room * sizeof *w->visited);
    if (!w->frames || !w->undo || !w->plan || !w->shown || !w->visited)
        return -1;
    match_walk_restart(w);
    return 0;
}

/* ---- markings that were seen -------------------------------------------------------------------------- */

static void toggle(struct match_walk *w, uint32_t id)
{
    w->hash[0] ^= match_mix(id, 0x51ed);
    w->hash[1] ^= match_mix(id, 0xc0de);
}

static uint64_t (*seen_at(uint64_t (*table)[2], uint64_t room, const uint64_t *hash))[2]
{
    uint64_t i = hash[0];
    while ((table[i & (room - 1)][0] | table[i & (room - 1)][1]) &&
           (table[i & (room - 1)][0] != hash[0] || table[i & (room - 1)][1] != hash[1]))
        i++;
    return &table[i & (room - 1)];
}

static bool grow_seen(struct match_walk *w)
{
    uint64_t room = w->visited_room * 4;
    size_t bytes = room * sizeof *w->visited;
    struct arena *a = w->model->arena;
    uint64_t(*larger)[2] = a->used + bytes <= w->model->limit ? arena_alloc(a, bytes) : NULL;
    if (!larger)
        return false;
    for (uint64_t i = 0; i < w->visited_room; i++)
        if (w->visited[i][0] | w->visited[i][1])
            memcpy(*seen_at(larger, room, w->visited[i]), w->visited[i], sizeof w->visited[i]);
    w->visited = larger;
    w->visited_room = room;
    return true;
}

/* Is this marking new? It is not any more. */
static bool is_new(struct match_walk *w)
{
    uint64_t *at = *seen_at(w->visited, w->visited_room, w->hash);
    if (at[0] | at[1])
        return false;
    memcpy(at, w->hash, sizeof w->hash);
    if (++w->states * 2 > w->visited_room && !grow_seen(w))
        w->model->full = true;
    return true;
}

void match_walk_restart(struct match_walk *w)
{
    memset(w->visited, 0, w->visited_room * sizeof *w->visited);
    w->states = w->steps = 0;
    w->undo_count = w->asked = 0;
    w->hash[0] = w->hash[1] = 1;
    w->depth = 1;
    memset(w->frames, 0, sizeof *w->frames);
    w->model->wrong = false;
    match_marking_reset(w->model, &w->model->walk);
    toggle(w, w->model->walk.local[0]->id);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static void remember(struct match_walk *w, struct match_place *p, struct match_local *l)
{
    w->undo[w->undo_count++] = (struct walk_undo){.place = p, .local = l};
}

static void take_back(struct match_walk *w, const struct walk_frame *f)
{
    struct match_marking *k = &w->model->walk;
    while (k->threads > (int)f->threads) {
        toggle(w, k->local[--k->threads]->id);
        k->local[k->threads] = NULL;
    }
    while (w->undo_count > f->undo) {
        const struct walk_undo *u = &w->undo[--w->undo_count];
        if (u->place) {
            toggle(w, k->place[u->place->slot]->id);
            toggle(w, u->place->id);
            k->place[u->place->slot] = u->place;
        } else {
            toggle(w, k->local[u->local->thread]->id);
            toggle(w, u->local->id);
            k->local[u->local->thread] = u->local;
        }
    }
}

/* The thread goes on from the topmost marking to a new one. */
static bool push(struct match_walk *w, const struct match_step *step, const struct match_effect *e)
{
    struct match_marking *k = &w->model->walk;
    struct match_local *from = k->local[step->thread];
    if (w->depth == w->depth_room || w->undo_count + (uint32_t)e->puts + 1 > w->undo_room)
        return false;
    struct walk_frame *f = &w->frames[w->depth++];
    *f = (struct walk_frame){.step = *step, .undo = w->undo_count, .threads = (uint32_t)k->threads};
    remember(w, NULL, from);
    toggle(w, from->id);
    toggle(w, e->to->id);
    for (int i = 0; i < e->puts; i++) {
        struct match_place *was = k->place[e->put[i]->slot];
        remember(w, was, NULL);
        toggle(w, was->id);
        toggle(w, e->put[i]->id);
    }
    if (e->created >= 0)
        toggle(w, e->begins->id);
    match_apply(k, from, e);
    w->steps++;
    w->asked = 0;
    return true;
}

static void pop(struct match_walk *w)
{
    take_back(w, &w->frames[--w->depth]);
    w->asked = 0;
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
    return l->touches > 0;
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

static bool mark_shown(struct match_walk *w, uint64_t key)
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
            h = match_mix(match_mix(match_mix(h, (uint64_t)t), k->local[t]->op.kind), k->local[t]->op.object);
    return h;
}

void match_walk_saw_deadlock(struct match_walk *w, const struct match_marking *k)
{
    (void)mark_shown(w, deadlock_key(k));
}

static enum walk_answer ask(struct match_walk *w, const struct match_step *more, int count)
{
    if (++w->asked > MOST_ASKED)
        return WALK_LOST;
    w->plan_count = 0;
    for (uint32_t i = 1; i < w->depth; i++)
        w->plan[w->plan_count++] = w->frames[i].step;
    for (int i = 0; i < count && w->plan_count < w->depth_room; i++)
        w->plan[w->plan_count++] = more[i];
    return WALK_EXECUTE;
}

/* Accesses of memory of which one is plain, one a write, and they overlap. */
static bool racing(const struct event *a, const struct event *b)
{
    bool memory = operation_of(a->kind)->object == OBJECT_MEMORY &&
                  operation_of(b->kind)->object == OBJECT_MEMORY;
    bool plain = operation_is(a->kind, OP_PLAIN) || operation_is(b->kind, OP_PLAIN);
    bool writes = event_class(a->kind) != CLASS_READ || event_class(b->kind) != CLASS_READ;
    return memory && plain && writes && a->object < b->object + b->size && b->object < a->object + a->size;
}

/* Two threads that stand before accesses that race, which no execution has shown yet. */
static bool find_race(struct match_walk *w, const struct tset *enabled, struct match_step *steps)
{
    struct match_local *const *local = w->model->walk.local;
    TSET_FOR(a, enabled)
        for (int b = a + 1; b < w->model->walk.threads; b++) {
            const struct event *x = &local[a]->op, *y = &local[b]->op;
            if (!tset_has(enabled, b) || !racing(x, y))
                continue;
            uint64_t low = x->pc < y->pc ? x->pc : y->pc, high = x->pc < y->pc ? y->pc : x->pc;
            if (!mark_shown(w, match_mix(match_mix(2, low), high)))
                continue;
            steps[0] = (struct match_step){.thread = (uint16_t)a};
            steps[1] = (struct match_step){.thread = (uint16_t)b};
            return true;
        }
    return false;
}

/* Finds what can be done at the topmost marking. WALK_DONE: that is known now. */
static enum walk_answer enter(struct match_walk *w, struct walk_frame *f)
{
    struct match_model *m = w->model;
    struct match_marking *k = &m->walk;
    bool unknown = false, parked = false, waits = false;
    int own = stopped(k) ? -2 : alone(m, k);
    f->todo = (struct tset){{0}};
    if (own >= 0)
        tset_add(&f->todo, own);
    if (own != -1) {
        f->stage = READY;
        return WALK_DONE;
    }
    for (int t = 0; t < k->threads; t++) {
        enum match_status s = match_status(m, k, t);
        if (s == MATCH_ENABLED)
            tset_add(&f->todo, t);
        unknown |= s == MATCH_UNKNOWN && !k->local[t]->parked;
        parked |= s == MATCH_UNKNOWN && k->local[t]->parked;
        waits |= !k->local[t]->ended;
    }
    if (unknown || (parked && !tset_empty(&f->todo)))
        return ask(w, NULL, 0);
    f->stage = ENTERED;
    if (!is_new(w))
        f->todo = (struct tset){{0}};
    else if (tset_empty(&f->todo) && waits && mark_shown(w, deadlock_key(k)))
        return ask(w, NULL, 0);
    return WALK_DONE;
}

/* Races that can be seen at the marking. */
static enum walk_answer show_races(struct match_walk *w, struct walk_frame *f)
{
    struct match_step race[2];
    if (w->races && find_race(w, &f->todo, race)) {
        w->asked = 0;
        return ask(w, race, 2);
    }
    f->stage = READY;
    return WALK_DONE;
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

/* One step further, or back. */
static enum walk_answer advance(struct match_walk *w, struct walk_frame *f)
{
    struct match_model *m = w->model;
    int t = last_of(&f->todo);
    if (t < 0) {
        pop(w);
        return WALK_DONE;
    }
    const struct match_local *l = m->walk.local[t];
    int branches = match_branches(m, &m->walk, l);
    struct match_step step = {.thread = (uint16_t)t, .branch = f->next_branch,
                              .branches = branches > 1 ? (uint16_t)branches : 0,
                              .local = match_is_local(l->op.kind)};
    struct match_effect e;
    if (!match_effect(m, &m->walk, l, f->next_branch, &e))
        return m->full ? WALK_FULL : ask(w, &step, 1);
    if (++f->next_branch >= branches) {
        f->next_branch = 0;
        tset_remove(&f->todo, t);
    }
    return push(w, &step, &e) ? WALK_DONE : WALK_FULL;
}

enum walk_answer match_walk_on(struct match_walk *w)
{
    if (w->model->wrong)
        match_walk_restart(w);
    while (w->depth) {
        struct walk_frame *f = &w->frames[w->depth - 1];
        enum walk_answer a = (f->stage == NEW ? enter : f->stage == ENTERED ? show_races : advance)(w, f);
        if (w->model->full)
            return WALK_FULL;
        if (w->steps % STEPS_A_LOOK == 0 && w->go_on && !w->go_on())
            return WALK_PAUSED;
        if (w->model->wrong) { /* something was noticed on the way */
            match_walk_restart(w);
            continue;
        }
        if (a != WALK_DONE)
            return a;
    }
    return WALK_DONE;
}
