/* Pipes, sockets and other descriptors between threads. The kernel performs these operations and
 * has the bytes (rt/posix/descriptors.c); known is how many are under way in each of the two
 * directions (event.other) of a pipe or a pair of stream sockets: `count` and `limit`. Whether
 * there is room, and everything about others and about one of which an end was closed, the kernel
 * alone knows (`kind`). A poll looks at all of them. Of a file (rt/posix/file_steps.c), and of
 * the list of numbers, it is known who changed it last: `contents`. */
#include "object/object.h"

/* What can be received in a direction; of what only the kernel knows -1. */
static int64_t under_way(const struct object_state *s, const struct event *op)
{
    return s->kind || op->other > 1 ? -1 : op->other ? (int64_t)s->limit : s->count;
}

static void book(struct object_state *s, const struct event *op, int64_t bytes)
{
    if (under_way(s, op) < 0)
        *s = (struct object_state){.owner = -1, .kind = 1, .destroyed = s->destroyed};
    else if (op->other)
        s->limit += (uint32_t)bytes;
    else
        s->count += (int32_t)bytes;
}

static bool may_receive(const struct object_state *s, const struct event *op)
{
    return under_way(s, op) != 0;
}

/* event.value: the bytes that the kernel moved. */
static void receive(struct object_state *s, struct event *op)
{
    int64_t there = under_way(s, op);
    if (there == 0 && op->value)
        op->flags |= EVENT_FAILED;
    if (there >= 0 && op->value > (uint64_t)there)
        op->value = (uint64_t)there;
    book(s, op, -(int64_t)op->value);
}

static void send(struct object_state *s, struct event *op)
{
    book(s, op, (int64_t)op->value);
}

static void close_it(struct object_state *s, struct event *op)
{
    *s = (struct object_state){.owner = -1, .kind = 1, .destroyed = true};
}

static void take(struct object_state *s, struct event *op)
{
    s->kind = 1;
}

static void use_file(struct object_state *s, struct event *op)
{
    if (op->value)
        s->contents = op->thread + 1u;
    else
        op->flags |= EVENT_FAILED;
}

static void change_numbers(struct object_state *s, struct event *op)
{
    s->contents = op->thread + 1u;
}

#define DESCRIPTOR .object = OBJECT_DESCRIPTOR

const struct operation op_IO_READ = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES,
    .possible = may_receive, .perform = receive,
    .done = "receives {v} bytes from {o}", .failed = "finds nothing in {o}"};
const struct operation op_IO_WRITE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES, .perform = send,
    .done = "sends {v} bytes to {o}", .failed = "finds {o} full"};
const struct operation op_IO_CLOSE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = close_it, .done = "closes {o}"};
const struct operation op_IO_POLL = {
    DESCRIPTOR, .role = {ROLE_READ, ROLE_READ}, .traits = OP_RETRIES | OP_NOT_RESTARTED,
    .done = "polls: {v} ready"};
const struct operation op_IO_TAKE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .traits = OP_RETRIES | OP_NOT_RESTARTED, .perform = take,
    .done = "epoll: {v} ready", .failed = "epoll: nothing ready"};
const struct operation op_FILE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_READ}, .perform = use_file,
    .done = "changes {o}", .failed = "looks at {o}"};
const struct operation op_NUMBER_OPEN = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = change_numbers,
    .done = "takes the number {v} for a descriptor"};
const struct operation op_NUMBER_CLOSE = {
    DESCRIPTOR, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = change_numbers,
    .done = "closes descriptor {v}"};
const struct operation op_NUMBER_USE = {
    DESCRIPTOR, .role = {ROLE_READ, ROLE_READ}, .done = "uses descriptor {v}"};
