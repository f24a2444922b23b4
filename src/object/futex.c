/* Futexes: `contents` is the word, `holders` who waits there. WAIT compares and queues in one step,
 * so it is dependent with writes of the word; who was woken goes on with RESUME. Which waiters are
 * woken is a choice. MOVE: a thread waits there no more, but elsewhere (requeued) or not at all
 * (its time is over, or some were woken and others not). */
#include "object/object.h"

#include "base/ensure.h"

/* event.other is what the word is to be compared with. */
static void wait(struct object_state *s, struct event *op)
{
    ensure(op->thread < EVENT_MAX_THREADS);
    op->value = s->contents;
    if (s->contents == op->other)
        tset_add(&s->holders, op->thread);
    else
        op->flags |= EVENT_FAILED;
}

/* event.other: the thread it wakes + 1; 0 = everybody; FUTEX_SOME = the MOVEs that follow tell. */
static void wake(struct object_state *s, struct event *op)
{
    if (op->other == FUTEX_SOME)
        return;
    struct tset waiting = s->holders;
    if (op->other)
        tset_remove(&s->holders, (int)op->other - 1);
    else
        s->holders = (struct tset){{0}};
    op->value = (uint64_t)(tset_count(&waiting) - tset_count(&s->holders));
}

static void leave(struct object_state *s, struct event *op)
{
    tset_remove(&s->holders, (int)op->value - 1);
}

static void come(struct object_state *s, struct event *op)
{
    tset_add(&s->holders, (int)op->value - 1);
}

/* The word is memory. */
static void learn_word(struct object_state *s, const struct event *e, bool first)
{
    s->contents = e->value;
}

static bool was_woken(const struct object_state *s, const struct event *op)
{
    return !tset_has(&s->holders, op->thread);
}

const struct operation op_FUTEX_WAIT = {
    .object = OBJECT_FUTEX, .role = {ROLE_WRITE, ROLE_READ}, .perform = wait, .learn = learn_word,
    .done = "waits on futex {o}", .failed = "does not wait on futex {o}"};
const struct operation op_FUTEX_WAKE = {
    .object = OBJECT_FUTEX, .role = {ROLE_WRITE, ROLE_WRITE}, .perform = wake,
    .done = "wakes {v} on futex {o}"};
const struct operation op_FUTEX_RESUME = {
    .object = OBJECT_FUTEX, .role = {ROLE_READ, ROLE_READ}, .possible = was_woken,
    .traits = OP_NO_CANCEL_POINT | OP_QUEUED | OP_SILENT,
    .done = "is woken on futex {o}"};
const struct operation op_FUTEX_MOVE = {
    .object = OBJECT_FUTEX, .role = {ROLE_NONE, ROLE_NONE}, .traits = OP_SILENT, .perform = leave,
    .other_object = OBJECT_FUTEX, .perform_other = come, .done = "is not at futex {o} any more"};
