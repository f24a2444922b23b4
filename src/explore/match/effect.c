/* What operations do to markings: predicted (PredictTransitions, section 7.3), or as an execution showed it.
 *
 * From a local state a thread always does the same. A write puts the same place whatever was there; a read
 * leaves the place as it is and leads to a local state of its own for each place; an operation on a
 * synchronization object is performed on the state that the place has. What depends on more than that (an
 * update of memory, a wait with a timeout) is known where an execution has shown it at the same places. */
#include "explore/match/model.h"

#include "base/ensure.h"

#include <string.h>

/* ---- what a thread gets to know ---------------------------------------------------------------------- */

/* Objects of which the automaton says all that a thread can notice. */
static bool told_by_state(unsigned object)
{
    return object == OBJECT_MUTEX || object == OBJECT_CONDITION || object == OBJECT_SEMAPHORE ||
           object == OBJECT_RWLOCK || object == OBJECT_BARRIER;
}

static struct match_local *next_local(struct match_model *m, struct match_local *l, uint64_t got)
{
    return match_same(match_child(m, l, l->thread, got));
}

/* By the event, performed from l at the marking. */
static uint64_t got_by(const struct match_marking *k, const struct match_local *l, const struct event *ev)
{
    const struct operation *o = operation_of(ev->kind);
    bool told = !operation_is(ev->kind, OP_WAKES_ONE); /* who signals does not hear whether somebody waited */
    uint64_t h = match_mix(ev->kind, told && operation_succeeded(ev));
    if (o->object == OBJECT_MEMORY)
        return event_class(ev->kind) == CLASS_WRITE ? 0 : match_of_places(k, l, ev->kind);
    if (!told_by_state(o->object))
        return match_of_places(k, l, h);
    if (event_class(ev->kind) == CLASS_READ || o->object == OBJECT_BARRIER)
        h = match_mix(h, ev->value);
    if (event_class(ev->kind) == CLASS_ACQUIRE && l->touches)
        h = match_mix(h, k->place[l->slots[0]]->state.dead);
    return h;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static bool put(struct match_effect *e, struct match_place *p)
{
    if (!p)
        return false;
    ensure(e->puts < MATCH_TOUCHES);
    e->put[e->puts++] = p;
    return true;
}

/* Writes all of what its thread touches; depends: what it writes depends on what was there. (With --match
 * states: it has just been written, and can be looked at.) */
static bool put_memory(struct match_model *m, const struct match_marking *k, const struct match_local *l,
                       bool depends, uint64_t value, struct match_effect *out)
{
    for (int i = 0; i < l->touches; i++) {
        const struct match_slot *s = m->slots[l->slots[i]];
        const struct match_place *was = k->place[l->slots[i]];
        bool exact = s->object == l->op.object && s->size == l->op.size;
        bool whole = s->object >= l->op.object && s->object + s->size <= l->op.object + l->op.size;
        bool frees = operation_is(l->op.kind, OP_EVERYWHERE);
        uint32_t over = whole && !depends ? 0 : was->id;
        struct match_place *p;
        if (m->states && !frees)
            p = match_memory(m, l->slots[i], depends ? m->peek(s->object, s->size) : l->written[i], true);
        else if (m->values && exact && !frees && !match_is_late(m, l->op.pc))
            p = match_memory(m, l->slots[i], value, true);
        else
            p = match_memory(m, l->slots[i], (uint64_t)l->id << 32 | over, false);
        if (!put(out, p))
            return false;
        p->freed |= frees;
    }
    return true;
}

static bool touches_freed(const struct match_marking *k, const struct match_local *l)
{
    for (int i = 0; i < l->touches; i++)
        if (k->place[l->slots[i]]->freed)
            return true;
    return false;
}

/* Does it write all bytes of all that it touches? Then what was there does not matter. */
static bool writes_whole(const struct match_model *m, const struct match_local *l)
{
    for (int i = 0; i < l->touches; i++) {
        const struct match_slot *s = m->slots[l->slots[i]];
        if (s->object < l->op.object || s->object + s->size > l->op.object + l->op.size)
            return false;
    }
    return l->written || operation_is(l->op.kind, OP_EVERYWHERE);
}

static bool predict_memory(struct match_model *m, const struct match_marking *k, struct match_local *l,
                           struct match_effect *out)
{
    bool writes = event_class(l->op.kind) == CLASS_WRITE;
    if (event_class(l->op.kind) == CLASS_RMW || touches_freed(k, l) || (writes && m->values && !l->writes))
        return false;
    if (writes && m->states && !writes_whole(m, l))
        return false;
    out->to = next_local(m, l, got_by(k, l, &l->op));
    return out->to && (!writes || put_memory(m, k, l, false, l->wrote, out));
}

/* ---- other objects ----------------------------------------------------------------------------------- */

/* Performs it on the states; ev gets its results. shown: what an execution has recorded of it, if any, which
 * may tell more of the state before it. */
static bool perform(struct match_model *m, const struct match_marking *k, const uint32_t *slots, int touches,
                    struct event *ev, const struct event *shown, struct match_effect *out)
{
    const struct operation *o = operation_of(ev->kind);
    struct object_state s = k->place[slots[0]]->state, other;
    if (shown && o->learn)
        o->learn(&s, shown, false);
    object_perform(&s, ev);
    if (!put(out, match_state(m, slots[0], &s)))
        return false;
    if (touches < 2 || !o->perform_other)
        return true;
    other = k->place[slots[1]]->state;
    o->perform_other(&other, ev);
    return put(out, match_state(m, slots[1], &other));
}

/* Is the state of what it touches known, so that the automaton can be asked? */
static bool can_ask(const struct match_marking *k, const struct match_local *l)
{
    unsigned object = operation_of(l->op.kind)->object;
    if (l->observed || l->op.flags & (EVENT_TIMED | EVENT_SPUN | EVENT_SPINNING | EVENT_CANCELLABLE))
        return false;
    if (object == OBJECT_MEMORY)
        return true;
    for (int i = 0; i < l->touches; i++) {
        const struct match_place *p = k->place[l->slots[i]];
        if (p->state.destroyed || p->fresh)
            return false;
    }
    return told_by_state(object);
}

static bool predict_object(struct match_model *m, const struct match_marking *k, struct match_local *l,
                           unsigned branch, struct match_effect *out)
{
    struct event ev = l->op;
    const struct tset *waiting = &k->place[l->slots[0]]->state.holders;
    ev.flags &= (uint8_t)~EVENT_FAILED;
    if (operation_is(ev.kind, OP_WAKES_ONE) && tset_count(waiting) > (int)branch)
        ev.value = (uint64_t)tset_nth(waiting, (int)branch) + 1;
    if (!perform(m, k, l->slots, l->touches, &ev, NULL, out))
        return false;
    out->to = next_local(m, l, got_by(k, l, &ev));
    return out->to;
}

/* ---- what concerns its thread alone ------------------------------------------------------------------- */

bool match_joins(unsigned kind)
{
    return operation_is(kind, OP_OF_THREAD) && !operation_is(kind, OP_SILENT) &&
           operation_of(kind)->follows == FOLLOWS_THREAD;
}

static bool predict_local(struct match_model *m, const struct match_marking *k, struct match_local *l,
                          unsigned branch, struct match_effect *out)
{
    uint64_t got = l->branches ? branch : 0;
    if (operation_creates(l->op.kind)) {
        if (k->threads == EVENT_MAX_THREADS)
            return false;
        out->created = k->threads;
        out->begins = match_same(match_child(m, l, (unsigned)out->created, 0));
        got = (uint64_t)out->created;
        if (!out->begins)
            return false;
    }
    if (match_joins(l->op.kind) && k->local[l->op.object])
        got = k->local[l->op.object]->wrote;
    bool ends = operation_ends(l->op.kind); /* then it does not matter where */
    out->to = ends ? match_child(m, NULL, l->thread, match_mix(l->wrote, l->op.kind) | 1)
                   : next_local(m, l, got);
    if (!out->to)
        return false;
    if (ends) {
        out->to->ended = true;
        out->to->wrote = l->wrote;
    }
    for (int i = 0; operation_is(l->op.kind, OP_RENEWS) && i < l->touches; i++) {
        struct match_place *p = match_memory(m, l->slots[i], l->id, false);
        if (!put(out, p))
            return false;
        if (!p->renewed) {
            p->state = OBJECT_UNUSED;
            p->renewed = p->fresh = true;
        }
    }
    return true;
}

static enum match_status local_status(const struct match_marking *k, const struct match_local *l)
{
    if (match_joins(l->op.kind)) {
        const struct match_local *target = k->local[l->op.object];
        return target && target->ended ? MATCH_ENABLED : MATCH_BLOCKED;
    }
    if (l->touches && !operation_is(l->op.kind, OP_RENEWS)) /* it waits until a barrier is open */
        return tset_has(&k->place[l->slots[0]]->state.holders, l->thread) ? MATCH_BLOCKED : MATCH_ENABLED;
    return MATCH_ENABLED;
}

/* ---- asked by the search ------------------------------------------------------------------------------ */

enum match_status match_status(struct match_model *m, const struct match_marking *k, int thread)
{
    const struct match_local *l = k->local[thread];
    const struct operation *o;
    if (!l || l->ended || l->stops)
        return MATCH_BLOCKED;
    if (!l->op.kind)
        return MATCH_UNKNOWN;
    if (match_is_local(l->op.kind))
        return local_status(k, l);
    o = operation_of(l->op.kind);
    if (o->object == OBJECT_MEMORY && !l->observed)
        return MATCH_ENABLED;
    if (!can_ask(k, l)) {
        const struct match_fact *f = match_fact(m, k, l, MATCH_NO_BRANCH, false);
        return f ? f->status : MATCH_UNKNOWN;
    }
    if (o->traits & OP_WOKEN && l->touches > 1 &&
        tset_has(&k->place[l->slots[1]]->state.holders, thread))
        return MATCH_BLOCKED;
    return !(o->traits & OP_BLOCKS) || object_possible(&k->place[l->slots[0]]->state, &l->op)
               ? MATCH_ENABLED
               : MATCH_BLOCKED;
}

int match_branches(struct match_model *m, const struct match_marking *k, const struct match_local *l)
{
    if (match_is_local(l->op.kind))
        return l->branches > 1 ? l->branches : 1;
    if (can_ask(k, l)) {
        bool picks = operation_is(l->op.kind, OP_WAKES_ONE);
        int waiting = picks ? tset_count(&k->place[l->slots[0]]->state.holders) : 1;
        return waiting > 1 ? waiting : 1;
    }
    const struct match_fact *f = match_fact(m, k, l, MATCH_NO_BRANCH, false);
    return f && f->branches > 1 ? f->branches : 1;
}

static bool predict(struct match_model *m, const struct match_marking *k, struct match_local *l,
                    unsigned branch, struct match_effect *out)
{
    match_clear(out);
    if (match_is_local(l->op.kind))
        return predict_local(m, k, l, branch, out);
    if (!can_ask(k, l))
        return false;
    if (operation_of(l->op.kind)->object == OBJECT_MEMORY)
        return predict_memory(m, k, l, out);
    return predict_object(m, k, l, branch, out);
}

bool match_effect(struct match_model *m, const struct match_marking *k, const struct match_local *l,
                  unsigned branch, struct match_effect *out)
{
    if (match_is_last(k, l, branch)) {
        match_take_last(&l->last, out);
        return true;
    }
    if (predict(m, k, (struct match_local *)l, branch, out))
        return true;
    const struct match_fact *f = match_fact(m, k, l, branch, false);
    match_clear(out);
    if (!f)
        return false;
    out->to = match_same(f->to);
    out->puts = f->puts;
    memcpy(out->put, f->place + f->count, f->puts * sizeof *out->put);
    return true;
}

void match_apply(struct match_marking *k, const struct match_local *from, const struct match_effect *e)
{
    k->local[from->thread] = e->to;
    for (int i = 0; i < e->puts; i++)
        k->place[e->put[i]->slot] = e->put[i];
    if (e->created >= 0) {
        ensure(e->created == k->threads);
        k->local[k->threads++] = e->begins;
    }
}

bool match_racing(const struct event *a, const struct event *b)
{
    bool memory = operation_of(a->kind)->object == OBJECT_MEMORY &&
                  operation_of(b->kind)->object == OBJECT_MEMORY;
    bool plain = operation_is(a->kind, OP_PLAIN) || operation_is(b->kind, OP_PLAIN);
    bool writes = event_class(a->kind) != CLASS_READ || event_class(b->kind) != CLASS_READ;
    return memory && plain && writes && a->object < b->object + b->size && b->object < a->object + a->size;
}

/* ---- shown by an execution ---------------------------------------------------------------------------- */

static bool same_effect(const struct match_effect *a, const struct match_effect *b)
{
    bool same = a->to == b->to && a->created == b->created && a->begins == b->begins && a->puts == b->puts;
    for (int i = 0; same && i < a->puts; i++)
        same = a->put[i] == b->put[i];
    return same;
}

/* What the write has put into each slot, of which it may be a part. */
static bool note_written(struct match_model *m, struct match_local *l)
{
    if (!l->written)
        l->written = match_need(m, (size_t)l->touches * sizeof *l->written + 1);
    for (int i = 0; l->written && i < l->touches; i++)
        l->written[i] = m->peek(m->slots[l->slots[i]]->object, m->slots[l->slots[i]]->size);
    return l->written;
}

/* Is in memory what the model says? Else it was changed by something that is no step. */
static bool is_as_known(const struct match_model *m, const struct match_local *l)
{
    for (int i = 0; i < l->touches; i++) {
        const struct match_place *p = m->now.place[l->slots[i]];
        const struct match_slot *s = m->slots[l->slots[i]];
        if (p->valued && m->peek(s->object, s->size) != p->key)
            return false;
    }
    return true;
}

static bool observe_memory(struct match_model *m, struct match_local *l, const struct event *ev,
                           struct match_effect *out)
{
    const struct match_marking *k = &m->now;
    enum event_class class = event_class(ev->kind);
    if (m->states && class == CLASS_WRITE && !note_written(m, l))
        return false;
    if (m->states && class == CLASS_READ && !is_as_known(m, l))
        return false;
    out->to = next_local(m, l, got_by(k, l, ev));
    return out->to && (class == CLASS_READ || put_memory(m, k, l, class == CLASS_RMW, ev->value, out));
}

/* Is what it does just what is said of it without looking? */
static bool is_foretold(const struct match_model *m, const struct match_local *l, const struct event *ev)
{
    bool writes = event_class(ev->kind) == CLASS_WRITE;
    return ev->kind == l->op.kind && event_class(ev->kind) != CLASS_RMW && can_ask(&m->now, l) &&
           !touches_freed(&m->now, l) &&
           (!writes || !m->values || (!m->states && l->writes && l->wrote == ev->value));
}

/* The first operation on an object tells how it was initialised. */
static void learn(struct match_model *m, const struct event *ev, uint32_t slot)
{
    struct match_place *p = m->now.place[slot];
    struct object_state s = p->state;
    const struct operation *o = operation_of(ev->kind);
    if (o->learn)
        o->learn(&s, ev, true);
    match_initialised(m, p, &s);
}

static bool observe_object(struct match_model *m, struct match_local *l, const struct event *ev,
                           struct match_effect *out)
{
    uint32_t slots[MATCH_TOUCHES];
    struct event done = *ev;
    int count = match_touches(m, ev, slots);
    if (count < 1 || !told_by_state(operation_of(ev->kind)->object))
        return false;
    if (m->now.place[slots[0]]->fresh)
        learn(m, ev, slots[0]);
    done.flags &= (uint8_t)~EVENT_FAILED;
    if (!perform(m, &m->now, slots, count, &done, ev, out))
        return false;
    out->to = next_local(m, l, got_by(&m->now, l, ev));
    return out->to && got_by(&m->now, l, &done) == got_by(&m->now, l, ev);
}

static bool keep_fact(struct match_model *m, struct match_local *l, unsigned branch, unsigned branches,
                      const struct match_effect *e)
{
    struct match_fact *ways = match_fact(m, &m->now, l, MATCH_NO_BRANCH, true);
    struct match_fact *f = match_fact(m, &m->now, l, branch, true);
    if (!f || !ways || e->puts > l->touches + 2)
        return false;
    ways->status = MATCH_ENABLED;
    ways->branches = (uint16_t)branches;
    f->to = e->to;
    f->puts = (uint16_t)e->puts;
    memcpy(f->place + f->count, e->put, (size_t)e->puts * sizeof *e->put);
    return true;
}

static bool observe_local(struct match_model *m, struct match_local *l, const struct event *ev,
                          unsigned branch, unsigned branches, struct match_effect *out)
{
    if (operation_creates(ev->kind) && ev->object != (uint64_t)m->now.threads)
        return false;
    if (!l->op.kind && !match_stands(m, l, ev))
        return false;
    l->branches = (uint16_t)branches;
    if (operation_ends(ev->kind))
        l->wrote = ev->value;
    if (l->op.kind != ev->kind || !predict(m, &m->now, l, branch, out))
        return false;
    return !match_joins(ev->kind) || m->now.local[ev->object]->wrote == ev->value;
}

/* Does it write something else than before, though its thread has done and seen the same? What it writes is
 * noted. */
static bool writes_another(struct match_model *m, struct match_local *l, const struct event *ev)
{
    bool whole = !operation_is(ev->kind, OP_EVERYWHERE) && ev->size <= 8;
    bool shared = l->touches && m->slots[l->slots[0]]->owner != l->thread; /* else it can see why */
    m->strays |= whole && shared && !m->states && l->writes && l->wrote != ev->value &&
                 !match_is_late(m, ev->pc);
    l->writes = true;
    l->wrote = ev->value;
    return m->strays;
}

/* As match_observe, of what is no event of its thread alone and was not seen just like this before. */
static bool observe(struct match_model *m, struct match_local *l, const struct event *ev, unsigned branch,
                    unsigned branches, struct match_effect *out)
{
    struct match_effect foreseen;
    bool memory = operation_of(ev->kind)->object == OBJECT_MEMORY;
    if (memory && event_class(ev->kind) == CLASS_WRITE && writes_another(m, l, ev))
        return false;
    if (memory && is_foretold(m, l, ev))
        return observe_memory(m, l, ev, out);
    bool known = predict(m, &m->now, l, branch, &foreseen);
    if (!(memory ? observe_memory : observe_object)(m, l, ev, out))
        return false;
    if (known && !same_effect(&foreseen, out))
        l->observed = m->wrong = true;
    return (known && !l->observed) || keep_fact(m, l, branch, branches, out);
}

bool match_observe(struct match_model *m, const struct event *ev, unsigned branch, unsigned branches,
                   struct match_effect *out)
{
    struct match_local *l = m->now.local[ev->thread];
    struct match_place *at[MATCH_LAST];
    match_clear(out);
    if (!l || l->ended)
        return false;
    if (match_is_local(ev->kind))
        return observe_local(m, l, ev, branch, branches, out);
    if (!l->op.kind)
        return false;
    if (match_is_again(&m->now, l, ev, branch, branches)) {
        match_take_last(&l->last, out);
        return true;
    }
    bool keeps = !m->states && l->touches <= MATCH_LAST; /* else memory is looked at each time */
    for (int i = 0; keeps && i < l->touches; i++) {
        at[i] = m->now.place[l->slots[i]];
        keeps = !at[i]->fresh;
    }
    if (!observe(m, l, ev, branch, branches, out))
        return false;
    if (keeps && out->puts <= MATCH_LAST)
        match_keep_last(l, at, ev, branch, branches, out);
    return true;
}
