/* Steps in the model, from the state that is looked at, and back. */
#include "explore/match/walk_step.h"

#include "base/ensure.h"

#include <string.h>

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
void walk_take_back(struct match_walk *w, int threads)
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
    return true;
}

/* ---- what is to be done at a marking ------------------------------------------------------------------ */

bool walk_stopped(const struct match_model *m)
{
    for (int t = 0; m->stops && t < m->walk.threads; t++)
        if (m->walk.local[t]->stops)
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

/* Nobody else touches it as long as the thread holds what it holds. */
static bool is_guarded(const struct match_model *m, const struct match_marking *k, int thread,
                       uint64_t guards)
{
    for (; guards; guards &= guards - 1) {
        uint32_t mutex = m->mutexes[__builtin_ctzll(guards)];
        if (k->place[mutex]->state.owner == thread)
            return true;
    }
    return false;
}

static bool are_guarded(const struct match_model *m, const struct match_marking *k,
                        const struct match_local *l)
{
    for (int i = 0; i < l->touches; i++)
        if (!is_guarded(m, k, l->thread, m->slots[l->slots[i]]->guards))
            return false;
    return m->guarded && l->touches;
}

bool walk_concerns_itself(struct match_model *m, const struct match_local *l)
{
    return match_is_local(l->op.kind) || is_private(m, l);
}

/* Does the thread's next step lead to where it ends the program? Then others notice. */
static bool may_stop(struct match_model *m, const struct match_marking *k, const struct match_local *l)
{
    struct match_effect e;
    for (int b = 0, n = m->stops ? match_branches(m, k, l) : 0; b < n; b++)
        if (match_effect(m, k, l, (unsigned)b, &e) && e.to->stops)
            return true;
    return false;
}

/* A thread whose next step concerns only itself, or -1. */
int walk_alone(struct match_model *m, const struct match_marking *k)
{
    for (int t = 0; t < k->threads; t++) {
        const struct match_local *l = k->local[t];
        if (!l->op.kind || !(walk_concerns_itself(m, l) || are_guarded(m, k, l)) ||
            match_status(m, k, t) != MATCH_ENABLED || may_stop(m, k, l))
            continue;
        for (int i = 0; i < l->touches && !match_is_local(l->op.kind); i++)
            m->slots[l->slots[i]]->private_used = true;
        return t;
    }
    return -1;
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

/* NOT_KNOWN: the step is the last of the tail. */
enum walk_taken walk_go(struct match_walk *w, int t, unsigned branch)
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
enum walk_taken walk_settle(struct match_walk *w)
{
    struct match_model *m = w->model;
    uint64_t before[3] = {w->hash[0], w->hash[1], w->hash[2]};
    for (uint32_t length = 0, power = 1;; length++) {
        int t = walk_stopped(m) ? -1 : walk_alone(m, &m->walk);
        w->alone = t >= 0;
        if (t < 0 || match_branches(m, &m->walk, m->walk.local[t]) > 1)
            return TAKEN;
        if (length == power) {
            memcpy(before, w->hash, sizeof before);
            length = 0;
            power *= 2;
        }
        enum walk_taken answer = walk_go(w, t, 0);
        if (answer != TAKEN || !memcmp(before, w->hash, sizeof before))
            return answer;
    }
}

void walk_first_marking(struct match_walk *w)
{
    match_marking_reset(w->model, &w->model->walk);
    w->undo_count = w->tail_count = 0;
    hash_marking(w);
}

