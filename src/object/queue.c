/* Message queues: `count` of `limit` messages; `contents` says which, and in which order they were
 * sent since the queue was last empty (event.size of the send). That order is what is received, so
 * everything is dependent, except two attempts that fail or only look. Every record says how many
 * messages there were afterwards and how many fit, so it tells what was possible before it. */
#include "object/object.h"

#include "base/ensure.h"

static bool has_room(const struct object_state *s, const struct event *op)
{
    return (uint32_t)s->count < s->limit;
}

static bool has_message(const struct object_state *s, const struct event *op)
{
    return s->count > 0;
}

static void look(struct object_state *s, struct event *op)
{
    op->value = (uint64_t)s->count;
    op->other = s->limit;
}

static void send(struct object_state *s, struct event *op)
{
    ensure(s->count >= 0);
    if (has_room(s, op)) {
        op->size = s->count ? s->posts : 0;
        s->posts = op->size + 1;
        s->contents += object_message(op);
        s->count++;
    } else {
        op->flags |= EVENT_FAILED;
    }
    look(s, op);
}

static void receive(struct object_state *s, struct event *op, const struct event *source)
{
    ensure(s->count >= 0);
    if (has_message(s, op)) {
        s->contents -= object_message(source);
        s->count--;
    } else {
        op->flags |= EVENT_FAILED;
    }
    look(s, op);
}

static void set(struct object_state *s, struct event *op)
{
    s->kind ^= 1; /* the flags */
    look(s, op);
}

static void learn(struct object_state *s, const struct event *e, bool first)
{
    if (first)
        s->limit = (uint32_t)e->other; /* it is empty */
}

static bool sends(unsigned kind)
{
    return operation_of(kind)->role[0] == ROLE_PUT;
}

/* Just before event e, which has the role. */
static bool was_impossible(unsigned kind, int role, const struct event *e, uint32_t count)
{
    uint64_t before = e->value + (role == ROLE_GET) - (role == ROLE_PUT);
    if (role != ROLE_GET && role != ROLE_PUT && role != ROLE_QUEUE_SET && role != ROLE_QUEUE_LOOK)
        return false;
    return sends(kind) ? before >= e->other : before == 0;
}

static int reversed_on_queue(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    return was_impossible(kind, past->role, past->first, 0) ? ROLE_QUEUE_LOOK : operation_of(kind)->role[0];
}

static uint64_t all_overtakes(const struct event *e, bool cancellable)
{
    return ~ROLE_SET(NONE); /* whatever it was possible before: see was_impossible */
}

static uint8_t open_queue(const struct object_state *s, const struct event *e)
{
    uint64_t before = e->value;
    if (!(e->flags & EVENT_FAILED)) {
        before += operation_of(e->kind)->role[0] == ROLE_GET;
        before -= operation_of(e->kind)->role[0] == ROLE_PUT;
    }
    return (uint8_t)((before ? OPEN_TAKE : 0) | (before < e->other ? OPEN_GIVE : 0));
}

#define QUEUE .object = OBJECT_QUEUE, .open = open_queue, .learn = learn
#define SENDING QUEUE, .role = {ROLE_PUT, ROLE_QUEUE_LOOK}, .perform = send, \
                .reversed = reversed_on_queue, .done = "sends to {o}, now {v}"
#define RECEIVING QUEUE, .role = {ROLE_GET, ROLE_QUEUE_LOOK}, .perform_from = receive, \
                  .reversed = reversed_on_queue, .done = "receives from {o}, leaves {v}"
#define WAITING .traits = OP_BLOCKS | OP_INTERRUPTIBLE, .overtakes_of = all_overtakes, \
                .closed = was_impossible

const struct operation op_QUEUE_SEND = {
    SENDING, WAITING, .needs = OPEN_GIVE, .possible = has_room,
    .failed = "is interrupted sending to {o}", .waits = "waits until message queue {} has room"};
const struct operation op_QUEUE_RECEIVE = {
    RECEIVING, WAITING, .needs = OPEN_TAKE, .possible = has_message,
    .failed = "is interrupted receiving from {o}",
    .waits = "waits for a message from message queue {}"};
const struct operation op_QUEUE_TRYSEND = {SENDING, .failed = "finds {o} full"};
const struct operation op_QUEUE_TRYRECEIVE = {RECEIVING, .failed = "finds nothing in {o}"};
const struct operation op_QUEUE_LOOK = {
    QUEUE, .role = {ROLE_QUEUE_LOOK, ROLE_QUEUE_LOOK}, .perform = look,
    .done = "looks at {o}: {v} messages"};
const struct operation op_QUEUE_SET = {
    QUEUE, .role = {ROLE_QUEUE_SET, ROLE_QUEUE_SET}, .perform = set,
    .done = "changes or closes {o}"};
