/* The objects of a trace, found by a hash of kind and address. */
#include "object/replay.h"

#include "base/ensure.h"

int object_replay_init(struct object_replay *r, struct arena *a, uint32_t room)
{
    *r = (struct object_replay){.room = room, .objects = arena_alloc(a, room * sizeof *r->objects)};
    return r->objects && !htable_init(&r->place_of, a, 2 * room) ? 0 : -1;
}

void object_replay_begin(struct object_replay *r)
{
    ensure(r->room > 0);
    htable_clear(&r->place_of);
    r->full = false;
}

static uint64_t key_of(unsigned kind, uint64_t address)
{
    return address ^ (uint64_t)kind << 56;
}

/* NULL: no event has touched it. */
static struct object_at *find(const struct object_replay *r, unsigned kind, uint64_t address)
{
    const struct htable *t = &r->place_of;
    for (const struct htable_entry *e = htable_find(t, key_of(kind, address)); htable_has(t, e);
         e = htable_another(t, e))
        if (r->objects[e->value].address == address && r->objects[e->value].kind == kind)
            return &r->objects[e->value];
    return NULL;
}

/* NULL: there is no room. */
static struct object_at *object_at(struct object_replay *r, unsigned kind, uint64_t address)
{
    struct object_at *o = find(r, kind, address);
    uint32_t n = r->place_of.count;
    if (o)
        return o;
    struct htable_entry *e = htable_find(&r->place_of, key_of(kind, address));
    while (htable_has(&r->place_of, e))
        e = htable_another(&r->place_of, e);
    if (n == r->room || !htable_put(&r->place_of, e, key_of(kind, address), n)) {
        r->full = true;
        return NULL;
    }
    r->objects[n] = (struct object_at){.address = address, .kind = (uint8_t)kind, .state = OBJECT_UNUSED};
    return &r->objects[n];
}

const struct object_state *object_replay_state(const struct object_replay *r, enum object_kind kind,
                                               uint64_t address)
{
    const struct object_at *o = find(r, kind, address);
    return o ? &o->state : NULL;
}

static void renew(struct object_replay *r, uint64_t address)
{
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        struct object_at *o = find(r, kind, address);
        if (o)
            *o = (struct object_at){.address = address, .kind = (uint8_t)kind, .state = OBJECT_UNUSED};
    }
}

static uint64_t address_of(const struct event *e)
{
    const struct operation *o = operation_of(e->kind);
    return o->state_of ? o->state_of(e) : e->object;
}

/* One who tries again and again, or is queued: that it failed says that it was not possible. */
static bool only_looked(const struct event *e)
{
    return e->flags & EVENT_FAILED && operation_is(e->kind, OP_RETRIES | OP_QUEUED);
}

/* Does the automaton, in this state, say what the record says? The state becomes that after it. */
static bool agrees(struct object_state *s, const struct event *e, const struct event *source)
{
    const struct operation *o = operation_of(e->kind);
    struct event op = *e;
    if (only_looked(e))
        return !o->possible || s->kind || !o->possible(s, e);
    if (!(o->traits & OP_RETRIES) && operation_succeeded(e) && !object_possible(s, e))
        return false;
    op.flags &= (uint8_t)~EVENT_FAILED;
    object_perform_from(s, &op, source);
    return op.value == e->value && op.other == e->other && op.size == e->size &&
           !((op.flags ^ e->flags) & EVENT_FAILED && (o->perform || o->perform_from));
}

static bool perform(struct object_replay *r, const struct event *events, const struct event *e)
{
    const struct operation *o = operation_of(e->kind);
    struct object_at *at = object_at(r, o->object, address_of(e));
    if (!at)
        return true;
    if (o->learn)
        o->learn(&at->state, e, !at->known);
    at->known = true;
    return agrees(&at->state, e, e->match ? &events[e->match - 1] : NULL);
}

bool object_replay_event(struct object_replay *r, const struct event *events, uint32_t i)
{
    const struct event *e = &events[i];
    const struct operation *o = operation_of(e->kind);
    if (o->traits & OP_RENEWS)
        renew(r, e->object);
    if (o->object == OBJECT_NONE || o->object == OBJECT_MEMORY)
        return true;
    bool same = perform(r, events, e);
    struct object_at *other =
        o->perform_other && e->other ? object_at(r, o->other_object, e->other) : NULL;
    if (other) {
        struct event op = *e;
        o->perform_other(&other->state, &op);
        other->known = true;
    }
    return same;
}

bool object_replay_possible(const struct object_replay *r, const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    struct object_state unused = OBJECT_UNUSED;
    if (o->traits & OP_WOKEN) {
        const struct object_state *c = object_replay_state(r, OBJECT_CONDITION, op->other);
        if (c && tset_has(&c->holders, op->thread))
            return false;
    }
    const struct object_state *s = object_replay_state(r, o->object, op->object);
    return object_possible(s ? s : &unused, op);
}
