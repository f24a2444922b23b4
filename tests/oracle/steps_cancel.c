/* steps_cancel.c — pthread_cancel(3p) and its settings; the end of the process. */
#include "state.h"

/* The cancellation points of POSIX and Linux among the operations; those that may be some, or not,
 * are not. */
bool cancel_point(enum op op)
{
    switch (op) {
    case OP_SLEEP:
    case OP_SEM_WAIT:
    case OP_SEM_TIMED:
    case OP_COND_WAIT:
    case OP_COND_TIMED:
    case OP_JOIN:
    case OP_TIMEDJOIN:
    case OP_TEST_CANCEL:
    case OP_MQ_SEND:
    case OP_MQ_TRY_SEND:
    case OP_MQ_TIMED_SEND:
    case OP_MQ_RECEIVE:
    case OP_MQ_TRY_RECEIVE:
    case OP_MQ_TIMED_RECEIVE:
    case OP_PIPE_WRITE:
    case OP_PIPE_READ:
    case OP_PIPE_CLOSE:
    case OP_PIPE_POLL:
    case OP_EVENT_WRITE:
    case OP_EVENT_READ:
        return true;
    default:
        return false;
    }
}

bool may_be_cancelled(const struct program *p, int t)
{
    for (int c = 0; (p->flags & FLAG_CANCEL) && c < p->codes; c++)
        if (p->code[c].op == OP_CANCEL && p->code[c].a == t)
            return true;
    return false;
}

static void cancel(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *other = &next.thread[i->a];
    if (other->status == ABSENT || other->status == GONE || other->detached) {
        step_undefined(m, m->from, t);
        return;
    }
    if (other->status == RUNNING && other->pc != FINISHING && !other->cancelled)
        other->pending = other->cancelled = 1;
    step_done(m, &next, t, 0);
}

/* Whoever calls exit() while the process ends waits for that end. */
static void exit_process(struct moves *m, int t)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    if (next.exiting != NOBODY)
        return;
    next.exiting = t;
    own->pc = EXITING;
    own->calls = 0;
    own->cancel_off = 1;
    run_silent(m->program, &next, t);
    m->found(m->who, &next, t);
}

/* Without the handlers of exit(); a process that ends by exit() and quick_exit() is undefined. */
static void exit_at_once(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    if (i->op == OP_QUICK_EXIT && next.exiting != NOBODY) {
        step_undefined(m, m->from, t);
        return;
    }
    next.exiting = t;
    next.ended = 1;
    m->found(m->who, &next, t);
}

bool moves_cancel(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    switch (i->op) {
    case OP_CANCEL:
        cancel(m, t, i);
        return true;
    case OP_CANCEL_STATE:
        next.thread[t].cancel_off = i->v;
        break;
    case OP_CANCEL_TYPE:
        next.thread[t].cancel_async = i->v;
        break;
    case OP_TEST_CANCEL:
    case OP_SLEEP:
        break;
    case OP_QUICK_EXIT:
    case OP_EXIT_NOW:
        exit_at_once(m, t, i);
        return true;
    case OP_EXIT:
    case OP_END:
        exit_process(m, t);
        return true;
    default:
        return false;
    }
    step_done(m, &next, t, 0);
    return true;
}
