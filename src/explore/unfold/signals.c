/* Signals that are waited for. All of them are one object, which who sends one or takes one changes; the
 * process and each thread have a set of pending ones (object/signals.c, operation.state_of). So what is
 * pending at a condition is what the events on the way to it have done, one by one.
 *
 * Signals that run handlers are not known, nor those that are queued or come without an event (timers): what
 * is received must have been sent. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

bool unfold_signals(unsigned kind)
{
    const struct operation *o = operation_of(kind);
    return o->object == OBJECT_SIGNALS && !role_in(unfold_asking, o->role[0]);
}

bool unfold_signals_known(const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    bool waits = op->flags & (EVENT_SPUN | EVENT_SPINNING), queued = op->value > 31;
    return event_class(op->kind) != CLASS_LOCAL && !queued &&
           !(waits && o->traits & OP_RETRIES && !op->other && !op->value); /* for a handler */
}

/* The signals pending at c for who receives them through `receiver`. */
static uint64_t pending_at(const struct unfold *u, const struct net_condition *c, uint64_t receiver)
{
    struct object_state s = OBJECT_UNUSED;
    const struct net_event *done[EVENT_MAX_THREADS];
    uint32_t count = 0;
    const struct net_condition *from = c;
    for (; count < EVENT_MAX_THREADS && net_maker(from); from = net_up(from))
        done[count++] = net_maker(from);
    if (net_maker(from)) /* many: those before */
        s.contents = pending_at(u, from, receiver);
    while (count) {
        const struct event *did = net_did(&u->net, done[--count]);
        ensure(did && operation_of(did->kind)->state_of);
        struct event op = *did;
        if (operation_of(op.kind)->state_of(&op) == receiver && operation_succeeded(&op))
            object_perform(&s, &op);
    }
    return s.contents;
}

/* … for a thread. */
static uint64_t pending_for(const struct unfold *u, const struct net_condition *c, unsigned thread)
{
    return pending_at(u, c, u->net.slots[c->slot].object) | pending_at(u, c, EVENT_CANCEL_OBJECT(thread));
}

bool unfold_foresee_signal(const struct unfold *u, const struct net_want *w,
                           struct net_condition *const *touched, uint8_t *roles)
{
    const struct operation *o = operation_of(w->kind);
    if (!(o->traits & OP_RETRIES))
        return true;
    ensure(w->touches && touched[0]);
    bool asked = w->op.flags & EVENT_CANCELLABLE && unfold_asked(touched[1]);
    bool there = !(w->op.flags & EVENT_FAILED) && pending_for(u, touched[0], w->op.thread) & w->op.other;
    roles[0] = o->role[!there];
    return there || asked || !unfold_retries(&w->op);
}

bool unfold_signal_was_sent(const struct unfold *u, const struct net_event *done, const struct event *ev)
{
    const struct operation *o = operation_of(ev->kind);
    if (!(o->traits & OP_RETRIES) || !done->touches)
        return true;
    const struct net_condition *c = done->touch[0].at;
    if (!operation_succeeded(ev))
        return !(pending_for(u, c, ev->thread) & ev->other);
    ensure(ev->value && ev->value <= 64);
    return pending_at(u, c, o->state_of(ev)) >> (ev->value - 1) & 1;
}
