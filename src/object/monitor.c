/* Monitors of the synchronization library: `owner` is inside. Who enters determines what happens
 * inside, so only entering is a decision; the others are performed at once. */
#include "object/object.h"

#include "base/ensure.h"

static bool nobody_inside(const struct object_state *s, const struct event *op)
{
    return s->owner < 0;
}

static void enter(struct object_state *s, struct event *op)
{
    ensure(s->owner < 0);
    s->owner = op->thread;
}

static void leave(struct object_state *s, struct event *op)
{
    ensure(s->owner == op->thread);
    s->owner = -1;
}

/* event.value: it is handed the monitor; otherwise it has to enter again. */
static void resume(struct object_state *s, struct event *op)
{
    if (op->value)
        s->owner = op->thread;
}

/* On the condition, whose `holders` wait. */
static void queue(struct object_state *s, struct event *op)
{
    tset_add(&s->holders, op->thread);
}

static void unqueue(struct object_state *s, struct event *op)
{
    if (op->value)
        tset_remove(&s->holders, (int)op->value - 1);
}

#define INSIDE .object = OBJECT_MONITOR, .role = {ROLE_NONE, ROLE_NONE}, .other_object = OBJECT_CONDITION

const struct operation op_MONITOR_ENTER = {
    .object = OBJECT_MONITOR, .role = {ROLE_ACQUIRE, ROLE_ACQUIRE},
    .traits = OP_BLOCKS | OP_LOCKS | OP_WHOLE, .overtakes = ROLE_SET(ACQUIRE),
    .possible = nobody_inside, .perform = enter, .done = "enters {o}"};
const struct operation op_MONITOR_EXIT = {
    INSIDE, .follows = GIVES_OBJECT, .perform = leave, .done = "leaves {o}"};
const struct operation op_MONITOR_WAIT = {
    INSIDE, .follows = GIVES_OBJECT, .perform = leave, .perform_other = queue,
    .done = "waits on {m} in {o}"};
const struct operation op_MONITOR_SIGNAL = {
    INSIDE, .follows = GIVES_OBJECT, .traits = OP_BY_VALUE | OP_WAKES_ONE, .perform_other = unqueue,
    .done = "signals {m}, wakes thread {k}", .failed = "signals {m}, nobody waits"};
const struct operation op_MONITOR_RESUME = {
    INSIDE, .follows = FOLLOWS_GIVER, .perform = resume, .done = "was woken in {o}"};
