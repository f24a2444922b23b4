/* What an event touches, and whether two meet. Each rule has a pair of programs in
 * tests/unit/test_dependence.c: one where the order matters, one where it does not;
 * tests/unit/test_object.c derives the conflicts of roles from the objects' steps. */
#include "object/dependence.h"

#include "object/section.h"

#define NETWORK 8 /* stands for all ports; no object has this address */

/* The other object that e touches. */
static inline uint64_t other_object(const struct event *e, unsigned touch)
{
    switch (touch) {
    case TOUCH_OTHER:
    case TOUCH_SET:
        return e->other;
    case TOUCH_ENDS:
        return EVENT_ENDS_OBJECT;
    default:
        return 0;
    }
}

struct act act_of(const struct event *e)
{
    const struct operation *o = operation_of(e->kind);
    struct act a = {
        .object = e->object,
        .size = e->size ? e->size : 1,
        .thread = (uint8_t)e->thread,
        .role = (uint8_t)object_role(e),
        .role2 = ROLE_NONE,
        .kind = e->kind,
    };
    if (__builtin_expect(o->traits & OP_TOGETHER && e->size, 0))
        a.object = NETWORK;
    if (__builtin_expect(o->touch != TOUCH_NOTHING, 0)) {
        if (operation_awaits(e->kind) && e->flags & EVENT_FAILED)
            return a;
        a.object2 = other_object(e, o->touch);
        a.role2 = o->touch_role;
    } else if (__builtin_expect(e->flags & EVENT_CANCELLABLE && a.role != ROLE_NONE, 0)) {
        a.object2 = EVENT_CANCEL_OBJECT(e->thread);
        a.role2 = ROLE_CANCEL_SEEN;
    }
    return a;
}

struct act act_of_pending(const struct event *e)
{
    struct act a = act_of(e);
    unsigned pending = operation_of(e->kind)->pending;
    if (pending && a.role != ROLE_NONE)
        a.role = (uint8_t)pending;
    return a;
}

/* The objects that b changes, as a set. */
static uint64_t changed_by(const struct act *b)
{
    uint64_t changes = role_conflicts[ROLE_AWAIT], objects = 0;
    if (role_in(changes, b->role))
        objects |= event_object_bit(b->object);
    if (b->object2 && role_in(changes, b->role2))
        objects |= event_object_bit(b->object2);
    if (b->role == ROLE_WRITE) /* of several words */
        for (uint64_t at = (b->object | 7) + 1; at < b->object + b->size && ~objects; at += 8)
            objects |= event_object_bit(at);
    return objects;
}

/* Does one of the two things that b touches conflict with the object in the role? */
static inline bool meets(uint64_t object, int role, const struct act *b)
{
    return (object == b->object && role_in(role_conflicts[role], b->role)) ||
           (object == b->object2 && role_in(role_conflicts[role], b->role2));
}

bool act_dependent_slow(const struct act *a, const struct act *b)
{
    if (__builtin_expect(!(a->object2 | b->object2), 1))
        return a->object == b->object && role_in(role_conflicts[a->role], b->role);
    if (a->role == ROLE_ANYTHING || b->role == ROLE_ANYTHING)
        return true;
    if (a->role == ROLE_SECTION || b->role == ROLE_SECTION)
        return section_dependent(a, b);
    if (a->role == ROLE_AWAIT || b->role == ROLE_AWAIT)
        return a->role == ROLE_AWAIT ? (a->object2 & changed_by(b)) != 0
                                     : (b->object2 & changed_by(a)) != 0;
    return meets(a->object, a->role, b) || (a->object2 && meets(a->object2, a->role2, b));
}

bool act_wakes_slow(const struct act *pending, const struct act *done)
{
    if (act_dependent_slow(pending, done))
        return true;
    unsigned would = done->role == ROLE_LAST_BUT_ONE ? ROLE_OPEN : ROLE_PLACE_LATER;
    return (done->role == ROLE_LAST_BUT_ONE || done->role == ROLE_PLACE_LAST) &&
           pending->object == done->object && operation_of(pending->kind)->pending == would;
}
