/* steps_rwlock.c — reader-writer locks (pthread_rwlock_rdlock(3p),
 * pthread_rwlockattr_setkind_np(3)). A lock that prefers readers gives them the lock whenever no
 * writer has it. One that prefers writers lets no reader in while a writer waits; from when on a
 * writer waits is a step of its own. */
#include "state.h"

#include <errno.h>

static bool has_readers(const struct rwlock *x)
{
    for (int t = 0; t < THREADS; t++)
        if (x->readers[t])
            return true;
    return false;
}

static bool prefers_writers(const struct moves *m, const struct instruction *i)
{
    return m->program->object[RWLOCK][i->a] == 1;
}

static bool writer_waits(const struct moves *m, int number)
{
    for (int t = 0; t < THREADS; t++) {
        const struct thread *other = &m->from->thread[t];
        if (other->status != RUNNING || other->pc == FINISHING || other->phase != 1)
            continue;
        const struct instruction *i = current(m->program, m->from, t);
        if ((i->op == OP_WRLOCK || i->op == OP_TIMEDWRLOCK) && i->a == number)
            return true;
    }
    return false;
}

static void read_lock(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct rwlock *x = &next.rwlock[i->a];
    if (x->writer == t) {
        step_undefined(m, m->from, t); /* may be EDEADLK, may wait for ever */
    } else if (x->writer == NOBODY && !(prefers_writers(m, i) && writer_waits(m, i->a))) {
        x->readers[t]++;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_TRYRDLOCK) {
        step_done(m, &next, t, EBUSY);
    } else if (i->op == OP_TIMEDRDLOCK) {
        step_done(m, &next, t, ETIMEDOUT);
    }
}

static void write_lock(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct rwlock *x = &next.rwlock[i->a];
    if (x->writer == t || (x->readers[t] && i->op != OP_TRYWRLOCK)) {
        step_undefined(m, m->from, t);
    } else if (x->writer == NOBODY && !has_readers(x)) {
        x->writer = t;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_TRYWRLOCK) {
        step_done(m, &next, t, EBUSY);
    } else if (prefers_writers(m, i) && m->from->thread[t].phase == 0) {
        step_within(m, &next, t, 1);
    } else if (i->op == OP_TIMEDWRLOCK) {
        step_done(m, &next, t, ETIMEDOUT);
    }
}

static void unlock(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct rwlock *x = &next.rwlock[i->a];
    if (x->writer != t && !x->readers[t]) {
        step_undefined(m, m->from, t);
        return;
    }
    if (x->writer == t)
        x->writer = NOBODY;
    else
        x->readers[t]--;
    step_done(m, &next, t, 0);
}

bool moves_rwlock(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_RDLOCK:
    case OP_TRYRDLOCK:
    case OP_TIMEDRDLOCK:
        read_lock(m, t, i);
        return true;
    case OP_WRLOCK:
    case OP_TRYWRLOCK:
    case OP_TIMEDWRLOCK:
        write_lock(m, t, i);
        return true;
    case OP_RWUNLOCK:
        unlock(m, t, i);
        return true;
    default:
        return false;
    }
}
