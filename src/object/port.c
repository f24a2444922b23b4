/* Ports of the synchronization library, each with one receiver: `count` messages, `contents` says
 * which, in no order: the order in which they can be received follows from that of each sender.
 * Which message a receive gets is a choice among those that may come first (event.value, the
 * sender's thread; event.match, the send). Sends are independent of each other, and so are
 * receives. With a selective wait that looks at several ports they count as one object: what
 * arrives at one may be received instead of another. */
#include "object/object.h"

#include "base/ensure.h"

static void send(struct object_state *s, struct event *op)
{
    s->contents += object_message(op);
    s->count++;
}

static void receive(struct object_state *s, struct event *op, const struct event *source)
{
    ensure(s->count > 0);
    s->contents -= object_message(source);
    s->count--;
}

static bool may_receive(const struct object_state *s, const struct event *op)
{
    return s->count > 0 || op->flags & EVENT_TIMED;
}

/* It waits: nothing was there. */
static uint64_t select_overtakes(const struct event *e, bool cancellable)
{
    return e->other > 1 ? ROLE_SET(SEND) : 0;
}

#define TOGETHER .object = OBJECT_PORT, .traits = OP_TOGETHER

const struct operation op_PORT_SEND = {
    TOGETHER, .role = {ROLE_SEND, ROLE_SEND}, .perform = send, .done = "sends to {o}"};
const struct operation op_PORT_SELECT = {
    .object = OBJECT_PORT, .traits = OP_TOGETHER | OP_BLOCKS | OP_SELECTS,
    .role = {ROLE_RECEIVE, ROLE_RECEIVE}, .overtakes_of = select_overtakes, .possible = may_receive,
    .done = "selects",
    .waits = "waits for a message from {}"};
const struct operation op_PORT_RECEIVE = {
    .object = OBJECT_PORT, .traits = OP_TOGETHER | OP_ONE_SOURCE, .overtakes = ROLE_SET(SEND),
    .role = {ROLE_RECEIVE, ROLE_RECEIVE}, .perform_from = receive, .done = "receives from {o}"};
const struct operation op_PORT_ELSE = {
    .object = OBJECT_PORT, .traits = OP_TOGETHER | OP_NOTHING,
    .role = {ROLE_RECEIVE, ROLE_RECEIVE}, .done = "receives nothing: else"};

const struct operation op_PORT_OPEN = {
    .object = OBJECT_PORT, .role = {ROLE_NONE, ROLE_NONE}, .traits = OP_NAMES,
    .done = "can receive from {o}"};
const struct operation op_PORT_TAKEN = {
    .object = OBJECT_PORT, .role = {ROLE_NONE, ROLE_NONE}, .follows = FOLLOWS_THREAD,
    .done = "was received by {t}"};
const struct operation op_PORT_UNIFORM = {
    .object = OBJECT_PORT, .role = {ROLE_NONE, ROLE_NONE}, .done = "declares {o} uniform"};
