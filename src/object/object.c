/* The table of all operations, and what follows from it for any of them. */
#include "object/object.h"

#include "base/ensure.h"

const struct operation *const operations[EVENT_KINDS] = {
#define EVENT(kind, name, class) [EV_##kind] = &op_##kind,
#include "trace/event.def"
#undef EVENT
};

#define R(name) ROLE_SET(name)
const uint64_t role_conflicts[ROLES] = {
#define ROLE(name, stops, counts, conflicts) [ROLE_##name] = conflicts,
#include "object/roles.def"
#undef ROLE
};
#undef R

enum counting { KEEP, UP, DOWN, ZERO };
static const uint8_t counting[ROLES] = {
#define ROLE(name, stops, counts, conflicts) [ROLE_##name] = counts,
#include "object/roles.def"
#undef ROLE
};

bool object_possible(const struct object_state *s, const struct event *op)
{
    ensure(op->kind < EVENT_KINDS);
    const struct operation *o = operation_of(op->kind);
    return !o->possible || o->possible(s, op);
}

void object_perform(struct object_state *s, struct event *op)
{
    ensure(op->kind < EVENT_KINDS);
    const struct operation *o = operation_of(op->kind);
    if (o->perform)
        o->perform(s, op);
}

void object_perform_from(struct object_state *s, struct event *op, const struct event *source)
{
    ensure(op->kind < EVENT_KINDS);
    const struct operation *o = operation_of(op->kind);
    if (o->perform_from)
        o->perform_from(s, op, source);
    else if (o->perform)
        o->perform(s, op);
}

bool object_same(const struct object_state *a, const struct object_state *b)
{
    bool same = a->owner == b->owner && a->count == b->count && a->limit == b->limit &&
                a->kind == b->kind && a->dead == b->dead && a->destroyed == b->destroyed &&
                a->contents == b->contents;
    for (int i = 0; same && i < TSET_WORDS; i++)
        same = a->holders.w[i] == b->holders.w[i];
    return same;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

uint64_t object_message(const struct event *send)
{
    return mix(mix(send->thread + 1u, send->index), send->size);
}

uint64_t object_hash(const struct object_state *s)
{
    uint64_t h = mix(mix(0, (uint32_t)s->owner), (uint64_t)(uint32_t)s->count << 32 | s->limit);
    h = mix(h, (uint64_t)s->kind << 16 | (uint64_t)s->dead << 8 | s->destroyed);
    h = mix(h, s->contents);
    for (int i = 0; i < TSET_WORDS; i++)
        h = mix(h, s->holders.w[i]);
    return h;
}

int object_role(const struct event *e)
{
    const struct operation *o = operation_of(e->kind);
    return o->role_of ? o->role_of(e) : o->role[(e->flags & EVENT_FAILED) != 0];
}

uint32_t object_count_after(unsigned kind, int role, uint32_t count)
{
    ensure(role >= 0 && role < ROLES);
    bool whole = operation_is(kind, OP_WHOLE);
    switch (counting[role]) {
    case UP:
        return whole ? 1 : count + 1;
    case DOWN:
        return whole || count == 0 ? 0 : count - 1;
    case ZERO:
        return 0;
    default:
        return count;
    }
}
