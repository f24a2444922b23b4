/* What a thread receives signals and requests to cancel it through: `contents` are the pending
 * signals, `count` whether it is to be cancelled; the process has such an object too, for signals.
 * A request is dependent with the operations of its thread that it can interrupt, and with the ends
 * of threads (one that has ended is not cancelled; it may be joined). */
#include "object/object.h"

#include <signal.h>

static void send(struct object_state *s, struct event *op)
{
    s->contents |= 1ull << ((op->value - 1) & 63);
}

/* Of one that waits event.other is the set of those it waits for. */
static bool is_there(const struct object_state *s, const struct event *op)
{
    return s->contents & op->other;
}

/* event.value: the signal; 0 = that a handler is to run is all that was waited for. */
static void receive(struct object_state *s, struct event *op)
{
    uint64_t bit = 1ull << ((op->value - 1) & 63);
    if (op->value && !(s->contents & bit)) {
        op->value = 0;
        op->flags |= EVENT_FAILED;
    } else if (op->value) {
        s->contents &= ~bit;
    }
}

/* A timer (alarm) fires without an event. */
static void learn(struct object_state *s, const struct event *e, bool first)
{
    if (e->value == SIGALRM)
        s->contents |= 1ull << (SIGALRM - 1);
}

/* Signals are one object to everybody; whether one is for the process or for a thread stands in
 * event.other. */
static uint64_t receiver(const struct event *e)
{
    return e->other && !(e->flags & EVENT_FAILED) ? e->other : e->object;
}

static void request(struct object_state *s, struct event *op)
{
    s->count = 1;
}

static void attend(struct object_state *s, struct event *op)
{
    op->value = (uint64_t)s->count;
    if (!s->count)
        op->flags |= EVENT_FAILED;
}

#define SIGNALS .object = OBJECT_SIGNALS

const struct operation op_SIGNAL_SEND = {
    SIGNALS, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = send, .state_of = receiver,
    .done = "sends signal {v}"};
const struct operation op_SIGNAL_WAIT = {
    SIGNALS, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES | OP_BY_VALUE | OP_NOT_RESTARTED,
    .possible = is_there, .perform = receive, .learn = learn, .state_of = receiver,
    .done = "receives signal {v}", .failed = "finds no signal"};
const struct operation op_SIGNAL_HANDLE = {
    SIGNALS, .role = {ROLE_NONE, ROLE_NONE}, .perform = receive, .learn = learn, .state_of = receiver,
    .done = "runs the handler of signal {v}"};
const struct operation op_CANCEL = {
    SIGNALS, .role = {ROLE_CANCEL, ROLE_CANCEL}, .touch = TOUCH_ENDS, .touch_role = ROLE_CANCEL,
    .perform = request, .done = "cancels a thread"};
const struct operation op_CANCEL_POINT = {
    SIGNALS, .role = {ROLE_CANCEL_SEEN, ROLE_CANCEL_SEEN}, .perform = attend,
    .done = "is cancelled", .failed = "is not cancelled"};
