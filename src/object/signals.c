/* What a thread receives signals and requests to cancel it through: `contents` are the pending
 * signals, `count` whether it is to be cancelled. A request is dependent with the operations of
 * its thread that it can interrupt, and with the ends of threads (one that has ended is not
 * cancelled; it may be joined). */
#include "object/object.h"

static void send(struct object_state *s, struct event *op)
{
    s->contents |= 1ull << (op->value & 63);
}

static void receive(struct object_state *s, struct event *op)
{
    if (!s->contents) {
        op->flags |= EVENT_FAILED;
        return;
    }
    op->value = (uint64_t)__builtin_ctzll(s->contents);
    s->contents &= s->contents - 1;
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
    SIGNALS, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = send, .done = "sends signal {v}"};
const struct operation op_SIGNAL_WAIT = {
    SIGNALS, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES | OP_BY_VALUE | OP_NOT_RESTARTED,
    .perform = receive, .done = "receives signal {v}", .failed = "finds no signal"};
const struct operation op_CANCEL = {
    SIGNALS, .role = {ROLE_CANCEL, ROLE_CANCEL}, .touch = TOUCH_ENDS, .touch_role = ROLE_CANCEL,
    .perform = request, .done = "cancels a thread"};
const struct operation op_CANCEL_POINT = {
    SIGNALS, .role = {ROLE_CANCEL_SEEN, ROLE_CANCEL_SEEN}, .perform = attend,
    .done = "is cancelled", .failed = "is not cancelled"};
