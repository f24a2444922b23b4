/* Pipes, sockets and other descriptors between threads: `count` of `limit` bytes, `destroyed`
 * when closed. The kernel performs these operations (rt/posix/descriptors.c), so all that is
 * known of them is whether they changed anything; a poll looks at all of them. */
#include "object/object.h"

static void receive(struct object_state *s, struct event *op)
{
    op->value = s->count > 0;
    if (op->value)
        s->count--;
    else if (!s->destroyed)
        op->flags |= EVENT_FAILED;
}

static void send(struct object_state *s, struct event *op)
{
    op->value = !s->destroyed && (uint32_t)s->count < s->limit;
    if (op->value)
        s->count++;
    else if (!s->destroyed)
        op->flags |= EVENT_FAILED;
}

static void close_it(struct object_state *s, struct event *op)
{
    s->destroyed = true;
}

static void poll(struct object_state *s, struct event *op)
{
    op->value = (s->count > 0 || s->destroyed) + 2u * ((uint32_t)s->count < s->limit);
}

#define DESCRIPTOR .object = OBJECT_DESCRIPTOR

const struct operation op_IO_READ = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES, .perform = receive,
    .done = "receives {v} bytes from {o}", .failed = "finds nothing in {o}"};
const struct operation op_IO_WRITE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES, .perform = send,
    .done = "sends {v} bytes to {o}", .failed = "finds {o} full"};
const struct operation op_IO_CLOSE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = close_it, .done = "closes {o}"};
const struct operation op_IO_POLL = {
    DESCRIPTOR, .role = {ROLE_READ, ROLE_READ}, .traits = OP_RETRIES | OP_NOT_RESTARTED, .perform = poll,
    .done = "polls: {v} ready"};
