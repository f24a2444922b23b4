/* Futexes: `contents` is the word, `holders` who waits there. WAIT compares and queues in one
 * step, so it is dependent with writes of the word; who was woken goes on with RESUME. Which
 * waiters are woken is a choice. */
#include "object/object.h"

#include "base/ensure.h"

/* event.other, or else 0, is what the word is to be compared with. */
static void wait(struct object_state *s, struct event *op)
{
    ensure(op->thread < EVENT_MAX_THREADS);
    op->value = s->contents;
    if (s->contents == op->other)
        tset_add(&s->holders, op->thread);
    else
        op->flags |= EVENT_FAILED;
}

static void wake(struct object_state *s, struct event *op)
{
    op->value = !tset_empty(&s->holders);
    if (op->value)
        tset_remove(&s->holders, tset_first(&s->holders));
}

static bool was_woken(const struct object_state *s, const struct event *op)
{
    return !tset_has(&s->holders, op->thread);
}

const struct operation op_FUTEX_WAIT = {
    .object = OBJECT_FUTEX, .role = {ROLE_WRITE, ROLE_READ}, .perform = wait,
    .done = "waits on futex {o}", .failed = "does not wait on futex {o}"};
const struct operation op_FUTEX_WAKE = {
    .object = OBJECT_FUTEX, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = wake,
    .done = "wakes {v} on futex {o}"};
const struct operation op_FUTEX_RESUME = {
    .object = OBJECT_FUTEX, .role = {ROLE_READ, ROLE_READ}, .possible = was_woken,
    .traits = OP_NO_CANCEL_POINT | OP_QUEUED | OP_SILENT,
    .done = "is woken on futex {o}"};
