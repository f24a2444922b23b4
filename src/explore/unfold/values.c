/* The values of memory that the conditions of a net have. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

static void set_value(struct net_condition *c, const struct event *ev, uint64_t value)
{
    unsigned at = ev->object & 7;
    ensure(c->slot);
    uint64_t mask = ev->size < 8 ? (1ull << 8 * ev->size) - 1 : ~0ull;
    if (at + ev->size > 8)
        return;
    c->valued |= (uint8_t)(((1u << ev->size) - 1) << at);
    c->value = (c->value & ~(mask << 8 * at)) | (value & mask) << 8 * at;
}

/* The value that a plain write stores is not known when it is announced; freed memory has none. */
static bool has_no_value(const struct event *ev)
{
    return event_class(ev->kind) == CLASS_WRITE && ev->kind != EV_STORE;
}

void unfold_expect_value(struct unfold *u, const struct net_event *done, const struct event *ev,
                         uint32_t at)
{
    bool plain = operation_of(ev->kind)->object == OBJECT_MEMORY && has_no_value(ev) &&
                 !operation_is(ev->kind, OP_EVERYWHERE) && !u->names.moved;
    if (!plain || !done->touches)
        return;
    ensure(net_put(done, 0));
    u->written = net_put(done, 0);
    u->written_at = at;
}

/* With --property the trace shows it at the next decision. */
void unfold_note_written(struct engine *e)
{
    struct unfold *u = e->state;
    if (u->written && u->properties)
        set_value(u->written, &e->trace->events[u->written_at], e->trace->events[u->written_at].value);
    u->written = NULL;
}

/* What the event tells about the values before and after it. A value may say which number a thread has (a
 * pointer to what it allocated, its id), so it tells nothing where that is not its name. */
void unfold_note_values(struct unfold *u, struct net_event *done, const struct event *ev)
{
    struct net_condition *before = done->touches ? done->touch[0].at : NULL, *after = net_put(done, 0);
    if (!before || !unfold_in_memory(ev->kind))
        return;
    bool futex = operation_of(ev->kind)->object == OBJECT_FUTEX, moved = u->names.moved;
    if (!moved && (futex ? ev->kind == EV_FUTEX_WAIT : event_class(ev->kind) == CLASS_READ))
        set_value(before, ev, ev->value);
    if (!moved && event_class(ev->kind) == CLASS_RMW && !futex)
        set_value(before, ev, ev->other);
    if (!after)
        return;
    if (!after->valued) {
        after->valued = before->valued;
        after->value = before->value;
    }
    if (futex)
        return;
    if (moved || has_no_value(ev))
        after->valued &= ev->size > 8 ? 0 : (uint8_t)~(((1u << ev->size) - 1) << (ev->object & 7));
    else
        set_value(after, ev, ev->value);
}
