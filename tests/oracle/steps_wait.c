/* steps_wait.c — semaphores, condition variables, barriers, pthread_once. */
#include "state.h"

#include <errno.h>
#include <pthread.h>

static void semaphore(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    int8_t *value = &next.sem[i->a];
    if (i->op == OP_SEM_POST) {
        ++*value;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_SEM_VALUE) {
        step_done(m, &next, t, *value);
    } else if (*value > 0) {
        --*value;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_SEM_TRY) {
        step_done(m, &next, t, EAGAIN);
    } else if (i->op == OP_SEM_TIMED) {
        step_done(m, &next, t, ETIMEDOUT);
    }
}

enum { CANCELLED = -2 };

/* A waiter that is cancelled takes the mutex first, and consumes no signal: one that it got goes to
 * another waiter. Whether it still acts when it was woken before is free. */
void cond_cancelled(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    bool woken = own->queued == NOBODY, passed = false;
    if (own->kept == CANCELLED || (woken && !m->free))
        return;
    own->queued = NOBODY;
    bool signalled = woken && own->kept == 0;
    own->kept = CANCELLED;
    for (int other = 0; signalled && other < THREADS; other++)
        if (next.thread[other].queued == i->a) {
            struct state given = next;
            given.thread[other].queued = NOBODY;
            passed = true;
            m->found(m->who, &given, t);
        }
    if (!passed)
        m->found(m->who, &next, t);
}

/* Waiters with different mutexes at the same time: undefined. */
static bool other_mutex(const struct moves *m, const struct instruction *i)
{
    for (int t = 0; t < THREADS; t++)
        if (m->from->thread[t].queued == i->a && current(m->program, m->from, t)->b != i->b)
            return true;
    return false;
}

/* A wait gives the mutex back and joins the waiters in one step; behind that it is woken, or times
 * out (or, with spurious wake-ups, just wakes: once), and takes the mutex again. */
static void cond_wait(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    if (own->phase == 0) {
        const struct mutex *x = &next.mutex[i->b];
        if (x->owner != t || x->depth != 1 || other_mutex(m, i)) {
            step_undefined(m, m->from, t);
            return;
        }
        mutex_release(&next, i->b);
        own->queued = i->a;
        step_within(m, &next, t, 1);
    } else if (own->queued == NOBODY) {
        if (!mutex_can_take(m->program, &next, i->b, t))
            return;
        int error = mutex_take(m->program, &next, i->b, t);
        if (own->kept == CANCELLED) {
            cancel_act(m->program, &next, t);
            m->found(m->who, &next, t);
        } else {
            step_done(m, &next, t, error ? error : own->kept);
        }
    } else {
        own->queued = NOBODY;
        if (i->op == OP_COND_TIMED) {
            struct state timeout = next;
            timeout.thread[t].kept = ETIMEDOUT;
            step_within(m, &timeout, t, 1);
        }
        if (m->spurious && !own->spurious) {
            own->spurious = 1;
            step_within(m, &next, t, 1);
        }
    }
}

/* A signal wakes one of the waiters, whichever; a broadcast all. */
static void cond_wake(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    bool any = false;
    for (int other = 0; other < THREADS; other++) {
        if (next.thread[other].queued != i->a)
            continue;
        any = true;
        next.thread[other].queued = NOBODY;
        if (i->op == OP_COND_SIGNAL) {
            step_done(m, &next, t, 0);
            next = *m->from;
        }
    }
    if (i->op == OP_COND_BROADCAST || !any)
        step_done(m, &next, t, 0);
}

enum { AT_BARRIER = 30 };

/* Linux: the thread that comes last is the serial thread. */
static void barrier(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    if (own->phase)
        return;
    if (++next.arrived[i->a] < m->program->object[BARRIER_OF][i->a]) {
        own->queued = AT_BARRIER + i->a;
        step_within(m, &next, t, 1);
        return;
    }
    next.arrived[i->a] = 0;
    for (int other = 0; other < THREADS; other++) {
        struct thread *waiter = &next.thread[other];
        if (waiter->queued != AT_BARRIER + i->a)
            continue;
        waiter->queued = NOBODY;
        complete(m->program, &next, other, 0);
    }
    step_done(m, &next, t, PTHREAD_BARRIER_SERIAL_THREAD);
}

/* $v is the initialiser. Who comes while it runs waits. */
static void once(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    int8_t *state = &next.once[i->a];
    if (own->phase == RETURNED)
        *state = 2;
    if (*state == 2) {
        step_done(m, &next, t, 0);
    } else if (*state == 0) {
        *state = 1;
        own->back[own->calls++] = own->pc;
        own->pc = m->program->body[i->v].first;
        run_silent(m->program, &next, t);
        m->found(m->who, &next, t);
    }
}

bool moves_wait(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_SEM_WAIT:
    case OP_SEM_TRY:
    case OP_SEM_TIMED:
    case OP_SEM_POST:
    case OP_SEM_VALUE:
        semaphore(m, t, i);
        return true;
    case OP_COND_WAIT:
    case OP_COND_TIMED:
        cond_wait(m, t, i);
        return true;
    case OP_COND_SIGNAL:
    case OP_COND_BROADCAST:
        cond_wake(m, t, i);
        return true;
    case OP_BARRIER:
        barrier(m, t, i);
        return true;
    case OP_ONCE:
        once(m, t, i);
        return true;
    default:
        return false;
    }
}
