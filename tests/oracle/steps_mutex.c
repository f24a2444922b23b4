/* steps_mutex.c — mutexes of all types (pthread_mutex_lock(3p), pthread_mutexattr_setrobust(3p))
 * and spin locks. Who gets a mutex that several threads wait for is free. */
#include "state.h"

#include <errno.h>

static bool is_recursive(const struct program *p, int number)
{
    return p->object[MUTEX][number] == 1 || p->object[MUTEX][number] == 4;
}

static bool is_robust(const struct program *p, int number)
{
    return p->object[MUTEX][number] >= 3;
}

bool mutex_can_take(const struct program *p, const struct state *s, int number, int t)
{
    const struct mutex *x = &s->mutex[number];
    if (x->lost || x->owner == NOBODY)
        return true;
    return x->owner == t && (is_recursive(p, number) || p->object[MUTEX][number] == 2);
}

int mutex_take(const struct program *p, struct state *s, int number, int t)
{
    struct mutex *x = &s->mutex[number];
    if (x->lost)
        return ENOTRECOVERABLE;
    if (x->owner == t) {
        if (!is_recursive(p, number))
            return EDEADLK;
        x->depth++;
        return 0;
    }
    x->owner = t;
    x->depth = 1;
    return x->dead ? EOWNERDEAD : 0;
}

/* A mutex whose owner ended and that was not made consistent is lost when it is given back. */
void mutex_release(struct state *s, int number)
{
    struct mutex *x = &s->mutex[number];
    if (--x->depth)
        return;
    x->owner = NOBODY;
    x->lost = x->dead;
    x->dead = 0;
}

bool mutex_orphaned(const struct program *p, struct state *s, int number, int t)
{
    struct mutex *x = &s->mutex[number];
    if (x->owner != t || !is_robust(p, number))
        return false;
    x->owner = NOBODY;
    x->depth = 0;
    x->dead = 1;
    return true;
}

static void unlock(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    if (next.mutex[i->a].owner == t) {
        mutex_release(&next, i->a);
        step_done(m, &next, t, 0);
    } else if (m->program->object[MUTEX][i->a] == 0) {
        step_undefined(m, m->from, t);
    } else {
        step_done(m, &next, t, EPERM);
    }
}

static void consistent(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct mutex *x = &next.mutex[i->a];
    if (x->owner != t || !x->dead || !is_robust(m->program, i->a)) {
        step_done(m, &next, t, EINVAL);
        return;
    }
    x->dead = 0;
    step_done(m, &next, t, 0);
}

/* A try fails with EBUSY also where locking would be an error (EDEADLK). */
static void take(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    const struct mutex *x = &next.mutex[i->a];
    bool mine = x->owner == t && !is_recursive(m->program, i->a);
    bool can = mutex_can_take(m->program, &next, i->a, t);
    bool try = i->op == OP_TRYLOCK || i->op == OP_SPIN_TRYLOCK;
    if (can && !(try && mine))
        step_done(m, &next, t, mutex_take(m->program, &next, i->a, t));
    else if (i->op == OP_TRYLOCK)
        step_done(m, &next, t, EBUSY);
    else if (i->op == OP_TIMEDLOCK)
        step_done(m, &next, t, ETIMEDOUT);
    else if (i->op == OP_SPIN_TRYLOCK)
        m->found(m->who, &next, t);
}

static bool moves_spinlock(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    int8_t *owner = &next.spinlock[i->a];
    bool free = *owner == NOBODY;
    if (i->op == OP_SPINUNLOCK && *owner == t) {
        *owner = NOBODY;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_SPINUNLOCK || (*owner == t && i->op == OP_SPINLOCK)) {
        step_undefined(m, m->from, t);
    } else if (free) {
        *owner = t;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_SPINTRY) {
        step_done(m, &next, t, EBUSY);
    }
    return true;
}

bool moves_mutex(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_LOCK:
    case OP_TRYLOCK:
    case OP_TIMEDLOCK:
    case OP_SPIN_TRYLOCK:
        take(m, t, i);
        return true;
    case OP_UNLOCK:
        unlock(m, t, i);
        return true;
    case OP_CONSISTENT:
        consistent(m, t, i);
        return true;
    case OP_SPINLOCK:
    case OP_SPINTRY:
    case OP_SPINUNLOCK:
        return moves_spinlock(m, t, i);
    default:
        return false;
    }
}
