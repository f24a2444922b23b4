/* generate_sync.c — locks, semaphores, conditions, barriers and the like; functions; joins. */
#include <errno.h>

#include "generate.h"

static void inside(struct maker *g)
{
    make_some(g, pick(g, 3) ? 1 : 0);
}

/* Inside a lock that was waited for in a try or with a limit: only if it was got. */
static void inside_if(struct maker *g, int reg, struct instruction release)
{
    if (reg < 0)
        return;
    put(g, (struct instruction){OP_IF_EQ, -1, 0, 0, 0, reg, 0});
    inside(g);
    put_result(g, release);
    put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
}

/* A normal mutex: what is undefined must not happen. */
static void make_normal(struct maker *g, int number)
{
    struct instruction release = {OP_UNLOCK, -1, number, 0, 0, 0, 0};
    bool try = has(g, F_trylock) && chance(g, 50), timed = has(g, F_timedlock) && chance(g, 40);
    bool held = g->held >> number & 1;
    if (try || timed) {
        bool was = held;
        int reg = new_register(g);
        if (reg < 0 || (held && timed))
            return;
        put(g, (struct instruction){timed ? OP_TIMEDLOCK : OP_TRYLOCK, reg, number, 0, 0, 0, 0});
        g->held |= 1u << number;
        inside_if(g, reg, release);
        if (!was)
            g->held &= ~(1u << number);
        return;
    }
    if (held)
        return;
    if (has(g, F_trylockspin) && chance(g, 40) && g->loops++ < 2)
        put(g, (struct instruction){OP_SPIN_TRYLOCK, -1, number, 0, 0, pick(g, has(g, F_cancel) ? 2 : 4),
                                    0});
    else
        put(g, (struct instruction){OP_LOCK, -1, number, 0, 0, 0, 0});
    g->held |= 1u << number;
    inside(g);
    g->held &= ~(1u << number);
    if (!chance(g, 3))
        put(g, release);
}

/* Condition $number % … with the mutex, which is held once. */
static void make_cond(struct maker *g, int mutex)
{
    struct instruction wait = {OP_COND_WAIT, -1, pick(g, g->others), mutex, 0, 0, 0};
    struct instruction wake = {
        chance(g, 60) ? OP_COND_SIGNAL : OP_COND_BROADCAST, -1, wait.a, 0, 0, 0, 0};
    if (has(g, F_condtimed) && chance(g, 50))
        wait.op = OP_COND_TIMED;
    if (chance(g, 45)) {
        put(g, wake);
        return;
    }
    int reg = -1;
    if (chance(g, 50)) {
        reg = put_result(g, (struct instruction){OP_LOAD, -1, g->place[0], g->bits, 0, 0, 0});
        if (reg >= 0)
            put(g, (struct instruction){OP_IF_EQ, -1, 0, 0, 0, reg, 0});
        promise(g, (struct instruction){OP_STORE, -1, g->place[0], g->bits, 1, 0, 0});
    }
    put_result(g, wait);
    if (reg >= 0)
        put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
    promise(g, wake);
}

/* The other types say so when they are misused. */
static void make_checked(struct maker *g, int number)
{
    int type = g->p->object[MUTEX][number];
    struct instruction take = {OP_LOCK, -1, number, 0, 0, 0, 0};
    if (has(g, F_trylock) && chance(g, 40))
        take.op = OP_TRYLOCK;
    else if (has(g, F_timedlock) && chance(g, 40))
        take.op = OP_TIMEDLOCK;
    bool held = g->held >> number & 1;
    if (held && type == 3 && take.op == OP_LOCK)
        return;
    int reg = put_result(g, take);
    if (type >= 3 && reg >= 0 && chance(g, 60)) {
        put(g, (struct instruction){OP_IF_EQ, -1, 0, 0, EOWNERDEAD, reg, 0});
        put_result(g, (struct instruction){OP_CONSISTENT, -1, number, 0, 0, 0, 0});
        put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
    }
    g->held |= 1u << number;
    inside(g);
    if (!held)
        g->held &= ~(1u << number);
    if (!chance(g, type >= 3 ? 30 : 5))
        put_result(g, (struct instruction){OP_UNLOCK, -1, number, 0, 0, 0, 0});
    if (chance(g, 5))
        put_result(g, (struct instruction){OP_UNLOCK, -1, number, 0, 0, 0, 0});
}

void make_mutex(struct maker *g)
{
    int number = pick(g, g->mutexes);
    if (!has(g, F_mutex) && !has(g, F_recursive) && !has(g, F_errorcheck) && !has(g, F_robust))
        return;
    bool held = g->held >> number & 1;
    if (has(g, F_cond) && !held && chance(g, 60) && g->p->object[MUTEX][number] < 3) {
        put(g, (struct instruction){OP_LOCK, -1, number, 0, 0, 0, 0});
        make_cond(g, number);
        put(g, (struct instruction){OP_UNLOCK, -1, number, 0, 0, 0, 0});
        return;
    }
    if (g->p->object[MUTEX][number] == 0)
        make_normal(g, number);
    else
        make_checked(g, number);
}

/* Nothing of the same lock inside of a write lock; reading may be nested. */
void make_rwlock(struct maker *g)
{
    int number = pick(g, g->others);
    bool read = chance(g, 55);
    bool reading = g->reading >> number & 1, writing = g->reading >> (8 + number) & 1;
    if (!has(g, F_rwlock) || writing || (reading && !read))
        return;
    static const enum op plain[] = {OP_WRLOCK, OP_RDLOCK}, try[] = {OP_TRYWRLOCK, OP_TRYRDLOCK},
                         timed[] = {OP_TIMEDWRLOCK, OP_TIMEDRDLOCK};
    struct instruction release = {OP_RWUNLOCK, -1, number, 0, 0, 0, 0};
    unsigned before = g->reading;
    g->reading |= read ? 1u << number : 1u << (8 + number);
    if (has(g, F_rwtry) && chance(g, 50)) {
        int reg = put_result(g, (struct instruction){try[read], -1, number, 0, 0, 0, 0});
        inside_if(g, reg, release);
    } else if (has(g, F_rwtimed) && chance(g, 50)) {
        int reg = put_result(g, (struct instruction){timed[read], -1, number, 0, 0, 0, 0});
        inside_if(g, reg, release);
    } else {
        put(g, (struct instruction){plain[read], -1, number, 0, 0, 0, 0});
        inside(g);
        put(g, release);
    }
    g->reading = before;
}

static void make_spinlock(struct maker *g)
{
    int number = pick(g, 2), bit = 16 + number;
    struct instruction release = {OP_SPINUNLOCK, -1, number, 0, 0, 0, 0};
    bool held = g->held >> bit & 1;
    if (chance(g, 40)) {
        int reg = put_result(g, (struct instruction){OP_SPINTRY, -1, number, 0, 0, 0, 0});
        g->held |= 1u << bit;
        inside_if(g, reg, release);
        if (!held)
            g->held &= ~(1u << bit);
    } else if (!held) {
        put(g, (struct instruction){OP_SPINLOCK, -1, number, 0, 0, 0, 0});
        g->held |= 1u << bit;
        inside(g);
        g->held &= ~(1u << bit);
        put(g, release);
    }
}

static void make_sem(struct maker *g)
{
    static const enum op ops[] = {OP_SEM_WAIT, OP_SEM_WAIT, OP_SEM_POST,
                                  OP_SEM_POST, OP_SEM_TRY,  OP_SEM_VALUE};
    struct instruction i = {ops[pick(g, 6)], -1, pick(g, g->others), 0, 0, 0, 0};
    if (has(g, F_semtimed) && i.op == OP_SEM_WAIT && chance(g, 60))
        i.op = OP_SEM_TIMED;
    if (i.op == OP_SEM_WAIT)
        promise(g, (struct instruction){OP_SEM_POST, -1, i.a, 0, 0, 0, 0});
    if (i.op == OP_SEM_WAIT || i.op == OP_SEM_POST) {
        put(g, i);
        return;
    }
    int reg = put_result(g, i);
    maybe_if(g, reg, i.op == OP_SEM_TRY ? EAGAIN : i.op == OP_SEM_TIMED ? ETIMEDOUT : 1);
}

/* Mostly nobody looks who was last, as in most programs. */
static void make_barrier(struct maker *g)
{
    struct instruction i = {OP_BARRIER, -1, pick(g, g->others), 0, 0, 0, 0};
    if (chance(g, 30))
        put_result(g, i);
    else
        put(g, i);
}

void make_objects(struct maker *g)
{
    switch (pick(g, 4)) {
    case 0:
        if (has(g, F_spinlock))
            make_spinlock(g);
        break;
    case 1:
        if (has(g, F_sem))
            make_sem(g);
        break;
    case 2:
        if (has(g, F_barrier) && g->body < THREADS)
            make_barrier(g);
        break;
    case 3:
        if (has(g, F_once) && g->body < THREADS) {
            int number = pick(g, 2);
            put(g, (struct instruction){OP_ONCE, -1, number, 0, THREADS + number, 0, 0});
        }
        break;
    }
}

/* Initialisers of once objects, destructors of keys, handlers. */
static void make_function(struct maker *g, int body)
{
    g->body = body;
    make_memory(g);
    if (has(g, F_sem) && chance(g, 40))
        put(g, (struct instruction){OP_SEM_POST, -1, 0, 0, 0, 0, 0});
    g->registers[body + 1] = g->registers[body]; /* each has its own */
}

void make_functions(struct maker *g)
{
    g->registers[ONCE_BODY] = SHARED_REGISTERS;
    for (int body = ONCE_BODY; body < ATEXIT_BODY + 1; body++) {
        bool wanted = body < KEY_BODY       ? has(g, F_once)
                      : body < CLEANUP_BODY ? has(g, F_keys)
                      : body < ATEXIT_BODY  ? has(g, F_cancel)
                                            : has(g, F_exit);
        if (wanted)
            make_function(g, body);
        else
            g->registers[body + 1] = g->registers[body];
    }
}

void make_joins(struct maker *g)
{
    if (g->p->flags & FLAG_LAST)
        return;
    for (int k = 1; k <= g->threads; k++) {
        int t = has(g, F_cancel) ? g->threads + 1 - k : k;
        struct instruction i = {OP_JOIN, -1, t, 0, 0, 0, 0};
        if ((g->p->flags & FLAG_KILL) && chance(g, 50)) {
            i.op = OP_DETACH;
            if (has(g, F_detach))
                put(g, i);
            make_memory(g);
            continue;
        }
        if (has(g, F_tryjoin) && chance(g, 60) && g->registers[0] < SHARED_REGISTERS) {
            i.op = chance(g, 50) ? OP_TRYJOIN : OP_TIMEDJOIN;
            int reg = put_result(g, i);
            put(g, (struct instruction){OP_IF_EQ, -1, 0, 0,
                                        i.op == OP_TRYJOIN ? -EBUSY : -ETIMEDOUT, reg, 0});
            if (chance(g, 50))
                make_some(g, 1);
            i.op = OP_JOIN;
            put_result(g, i);
            put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
        } else {
            put_result(g, i);
        }
    }
}
