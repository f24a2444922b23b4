/* Figure 7.6: events are added in the order of their sizes; of those of one size that lead to the
 * same marking the smallest one is followed (prefix_order.c), the others are cut off, as are those
 * that lead to a marking which a smaller one led to. What the model does not know is executed
 * first. */
#include "explore/match/prefix.h"

#include "base/ensure.h"

#include <string.h>

enum { EVENTS_A_LOOK = 1 << 10, ADDED_A_LOOK = 1 << 4 };

void prefix_queue(struct prefix *p, struct prefix_event *e)
{
    if (e->size >= p->walk->depth_room) {
        p->model->full = true;
        return;
    }
    ensure(e->size >= p->now);
    if (p->last[e->size])
        p->last[e->size]->next = e;
    else
        p->first[e->size] = e;
    p->last[e->size] = e;
    if (e->size > p->most)
        p->most = e->size;
}

static bool effect_of(struct prefix *p, const struct prefix_event *e, struct match_effect *out)
{
    struct match_model *m = p->model;
    prefix_see(p, e->from, e->target, e->touched, e->tips, e->tip_count);
    return match_status(m, &m->walk, e->thread) == MATCH_ENABLED &&
           match_effect(m, &m->walk, e->from->local, e->branch, out);
}

/* ---- what is not known
 * --------------------------------------------------------------------------- */

void prefix_plan_step(struct prefix *p, const struct prefix_event *e)
{
    struct match_walk *w = p->walk;
    w->plan[w->plan_count++] =
        (struct match_step){.thread = e->thread,
                            .branch = e->branch,
                            .branches = e->branches,
                            .local = match_is_local(e->from->local->op.kind)};
}

/* An execution that takes the steps to the event, and it (NULL: any). */
static enum walk_answer ask(struct prefix *p, const struct prefix_event *e)
{
    p->walk->plan_count = 0;
    for (uint32_t i = 0, count = e ? prefix_before(p, e->tips, e->tip_count) : 0; i < count; i++)
        prefix_plan_step(p, p->events[p->order[0][i]]);
    if (e)
        prefix_plan_step(p, e);
    return match_walk_ask(p->walk);
}

static void toggle(uint64_t hash[2], uint32_t id)
{
    hash[0] ^= match_mix(id, 0x51ed);
    hash[1] ^= match_mix(id, 0xc0de);
}

/* Of the marking that it leads to. */
static void hash_event(struct prefix *p, struct prefix_event *e, const struct match_effect *effect)
{
    const struct match_model *m = p->model;
    e->hash[0] = e->hash[1] = 1;
    for (uint32_t s = 1; s < e->tip_count; s++) {
        const struct prefix_slot *slot = &p->slots[s];
        const struct prefix_condition *c = e->tips[s].condition;
        if (slot->kind == PREFIX_PAIR || !c)
            continue;
        if (slot->kind == PREFIX_THREAD) {
            toggle(e->hash, slot->thread == e->thread ? effect->to->id : c->local->id);
            continue;
        }
        const struct match_place *place = c->place;
        for (int i = 0; i < effect->puts; i++)
            if (effect->put[i]->slot == slot->model)
                place = effect->put[i];
        if (place != m->slots[slot->model]->root)
            toggle(e->hash, place->id);
    }
    if (effect->created >= 0)
        toggle(e->hash, effect->begins->id);
}

/* Makes sure that it is known what the event leads to. */
static enum walk_answer look(struct prefix *p, struct prefix_event *e)
{
    struct match_effect effect;
    bool known = effect_of(p, e, &effect);
    if (known && e->asks) {
        e->cut = true;
        prefix_extend_again(p, e);
        return WALK_DONE;
    }
    if (!known && e->asks) { /* it may have turned out that it cannot go on */
        struct match_model *m = p->model;
        if (match_status(m, &m->walk, e->thread) == MATCH_BLOCKED) {
            p->waits = e->cut = true;
            return WALK_DONE;
        }
    }
    if (!known || !match_known(effect.to) || (effect.created >= 0 && !match_known(effect.begins)))
        return ask(p, e);
    hash_event(p, e, &effect);
    return WALK_DONE;
}

/* An execution that brings two threads to where their accesses race, which are its last steps. */
static enum walk_answer show_race(struct prefix *p)
{
    const struct prefix_race *r = p->races;
    struct prefix_event *events[3] = {r->thread[0]->maker, r->thread[1]->maker, r->at->maker};
    p->races = r->next;
    bool fits = prefix_fit(p, events, 3);
    ensure(fits);
    p->walk->plan_count = 0;
    for (uint32_t i = 0, count = prefix_before(p, p->merged, p->slot_count); i < count; i++)
        prefix_plan_step(p, p->events[p->order[0][i]]);
    for (int i = 0; i < 2; i++)
        p->walk->plan[p->walk->plan_count++] =
            (struct match_step){.thread = r->thread[i]->local->thread};
    return WALK_EXECUTE;
}

/* ---- cut-off events
 * ------------------------------------------------------------------------------ */

/* Of the events that lead to its marking the smallest is followed. */
static void compare(struct prefix *p, struct prefix_event *e)
{
    struct htable_entry *at = htable_find(&p->reached, e->hash[0]);
    for (; htable_has(&p->reached, at); at = htable_another(&p->reached, at)) {
        struct prefix_event *other = p->events[at->value];
        if (other->hash[1] != e->hash[1])
            continue;
        bool first = other->size == e->size && prefix_smaller(p, e, other);
        (first ? other : e)->cut = true;
        if (first)
            at->value = e->number;
        return;
    }
    if (!htable_put(&p->reached, at, e->hash[0], e->number))
        p->model->full = true;
}

/* ---- adding an event
 * ----------------------------------------------------------------------------- */

static bool only_mine(const struct match_model *m, uint32_t slot, int thread)
{
    if (m->slots[slot]->owner != thread || m->slots[slot]->kind != OBJECT_MEMORY)
        return false;
    m->slots[slot]->private_used = true;
    return true;
}

static const struct match_place *put_at(const struct match_effect *effect,
                                        const struct prefix_condition *c, uint32_t slot)
{
    for (int i = 0; i < effect->puts; i++)
        if (effect->put[i]->slot == slot && effect->put[i] != c->place)
            return effect->put[i];
    return NULL;
}

/* The slots that its tips need are there, and the tips have room for them. */
static bool make_room(struct prefix *p, struct prefix_event *e, const struct match_effect *effect)
{
    const struct match_local *l = e->from->local;
    if (effect->created >= 0 && !prefix_thread_slot(p, (unsigned)effect->created))
        return false;
    for (int i = 0; i < l->touches; i++)
        if (!put_at(effect, e->touched[i], l->slots[i]) &&
            !only_mine(p->model, l->slots[i], l->thread) &&
            !prefix_pair_slot(p, e->touched[i]->slot, l->thread))
            return false;
    if (p->slot_count == e->tip_count)
        return true;
    union prefix_tip *tips = prefix_need(p, p->slot_count * sizeof *tips);
    if (!tips)
        return false;
    memcpy(tips, e->tips, e->tip_count * sizeof *tips);
    for (uint32_t s = e->tip_count; s < p->slot_count; s++)
        tips[s] = p->slots[s].root;
    e->tips = tips;
    e->tip_count = p->slot_count;
    return true;
}

static struct prefix_condition *put_thread(struct prefix *p, struct prefix_event *e,
                                           unsigned thread, struct prefix_condition *up,
                                           struct match_local *local)
{
    uint32_t slot = p->thread_slot[thread];
    ensure(slot && slot < e->tip_count && (!up || up->slot == slot));
    struct prefix_condition *c = prefix_put(p, slot, up, e);
    if (c) {
        c->local = local;
        e->tips[slot].condition = c;
    }
    return c;
}

static struct prefix_condition *put_object(struct prefix *p, struct prefix_event *e, int i,
                                           const struct match_place *place)
{
    uint32_t slot = e->touched[i]->slot;
    struct prefix_condition *c = prefix_put(p, slot, e->touched[i], e);
    if (!c)
        return NULL;
    c->place = (struct match_place *)place;
    e->tips[slot].condition = c;
    for (uint32_t s = p->slots[slot].readers; s; s = p->slots[s].readers)
        e->tips[s].reader = NULL;
    return c;
}

static void note_creator(struct prefix *p, const struct prefix_event *e, int created)
{
    int *creator = &p->creator[created];
    p->several |= *creator && *creator != e->thread + 1;
    *creator = e->thread + 1;
}

static void add(struct prefix *p, struct prefix_event *e)
{
    struct match_effect effect;
    struct prefix_condition *put[MATCH_TOUCHES] = {0}, *to, *begins = NULL;
    const struct match_local *l = e->from->local;
    bool known = effect_of(p, e, &effect);
    ensure(known && e->touches == l->touches);
    if (!make_room(p, e, &effect))
        return;
    for (int i = 0; i < l->touches; i++) {
        const struct match_place *place = put_at(&effect, e->touched[i], l->slots[i]);
        if (place)
            put[i] = put_object(p, e, i, place);
        else if (!only_mine(p->model, l->slots[i], l->thread))
            e->tips[prefix_pair_slot(p, e->touched[i]->slot, l->thread)].reader = e;
    }
    to = put_thread(p, e, l->thread, e->from, effect.to);
    if (effect.created >= 0) {
        note_creator(p, e, effect.created);
        begins = e->begins = put_thread(p, e, (unsigned)effect.created, NULL, effect.begins);
    }
    if (p->model->full)
        return;
    prefix_extend_thread(p, to);
    if (begins)
        prefix_extend_thread(p, begins);
    for (int i = 0; i < l->touches && !p->model->full; i++) {
        if (put[i])
            prefix_extend_object(p, put[i]);
        else if (!only_mine(p->model, l->slots[i], l->thread))
            prefix_extend_reader(p, e->touched[i], e);
    }
}

/* ---- all of them
 * --------------------------------------------------------------------------------- */

static enum walk_answer begin(struct prefix *p)
{
    struct match_model *m = p->model;
    struct match_local *l = match_child(m, NULL, 0, 0);
    if (!l || !match_known(l))
        return l ? ask(p, NULL) : WALK_FULL;
    uint32_t slot = prefix_thread_slot(p, 0);
    struct prefix_condition *c = prefix_put(p, slot, NULL, NULL);
    if (!c)
        return WALK_FULL;
    c->local = match_same(l);
    p->slots[slot].root.condition = c;
    p->begun = true;
    prefix_extend_thread(p, c);
    return WALK_DONE;
}

/* The events of one size: all are known, then they are compared, then added. */
static enum walk_answer one_size(struct prefix *p)
{
    struct match_model *m = p->model;
    struct prefix_event *e = p->asked ? p->asked : p->first[p->now];
    for (uint32_t n = 1; e; e = e->next, n++) {
        p->asked = e;
        enum walk_answer a = e->cut ? WALK_DONE : look(p, e);
        if (a != WALK_DONE || m->wrong || m->full)
            return a;
        if (n % EVENTS_A_LOOK == 0 && p->walk->go_on && !p->walk->go_on())
            return WALK_PAUSED;
    }
    p->asked = NULL;
    for (e = p->first[p->now]; e; e = e->next) {
        struct match_effect effect;
        if (e->asks)
            continue;
        bool known = effect_of(p, e, &effect);
        ensure(known);
        match_note_move(m, &m->walk, e->from->local, e->branch);
        if (effect.to->stops)
            e->cut = true;
        else
            compare(p, e);
    }
    uint32_t n = 1;
    for (e = p->first[p->now]; e && !m->full && !m->wrong; e = e->next, n++) {
        if (n % ADDED_A_LOOK == 0 && p->walk->go_on)
            p->walk->go_on(); /* what has become possible may take long to find; it is to be found at once */
        p->added += !e->asks;
        p->cut += e->cut && !e->asks;
        if (!e->cut)
            add(p, e);
    }
    return WALK_DONE;
}

/* Has an execution shown since what a thread does that was only seen standing? */
static bool goes_on(const struct prefix *p)
{
    for (const struct prefix_link *l = p->parked; l; l = l->next)
        if (l->thread->local->op.kind)
            return true;
    return false;
}

enum walk_answer prefix_on(struct prefix *p)
{
    struct match_model *m = p->model;
    for (;;) {
        if (m->wrong)
            prefix_restart(p);
        if (m->full)
            return WALK_FULL;
        if (p->begun && p->now > p->most && !p->races) {
            if (goes_on(p)) {
                prefix_restart(p);
                continue;
            }
            p->complete = true;
            p->places = match_model_places(m);
            p->moves = m->move_count;
            return WALK_DONE;
        }
        if (p->races)
            return show_race(p);
        enum walk_answer a = !p->begun ? begin(p) : one_size(p);
        if (m->wrong)
            continue;
        if (a != WALK_DONE || m->full)
            return m->full ? WALK_FULL : a;
        if (!p->asked && p->begun)
            p->now++;
    }
}
