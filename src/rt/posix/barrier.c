/* Barriers. Which thread was last is a behaviour only if somebody looks at what pthread_barrier_wait
 * returned; whether the call's result is used is read off the machine code (code/live.h), and not to know
 * is to take it as used. Nor may more threads come than the barrier holds back, or it would matter who
 * meets whom: as long as those that came, in whatever order, are no more than that, every opening waits
 * for all of them. So the arrivals commute, and are announced as MEET, until a thread comes of which one of
 * the two is not true: that depends on no order either, so a search in which none came has lost nothing.
 * Otherwise it begins again, with the order of arrivals at this barrier explored (LESSON_BARRIER). */
#include "rt/check/life.h"
#include "rt/code/live.h"
#include "rt/core/await.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"

#include <pthread.h>

RT_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                                   unsigned count)
{
    int status = REAL(pthread_barrier_init)(b, attr, count);
    if (rt.active && status == 0)
        life_begin((uintptr_t)b, SYNC_BARRIER, RT_CALLER())->limit = count;
    return status;
}

RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
    PASSIVE(pthread_barrier_destroy, b);
    life_destroy(sync_get((uintptr_t)b, SYNC_BARRIER), RT_CALLER());
    return 0;
}

/* From now on the order of arrivals counts. */
static void learn_order(const struct sync *s)
{
    await_learn(s->address, LESSON_BARRIER);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

static bool is_meeting(const struct sync *s, uint64_t pc)
{
    if (!rt.engine.meets || !s->limit || await_knows(s->address, LESSON_BARRIER))
        return false;
    if (live_result(pc))
        learn_order(s);
    return true;
}

static void open_barrier(struct sync *s, const struct tset *waiting)
{
    TSET_FOR(t, waiting) {
        vclock_join(&rt.all[t].clock, &s->clock);
        if (s->time > rt.all[t].time)
            rt.all[t].time = s->time;
        sched_run_local(t);
    }
    s->clock.n = 0;
}

/* The announced arrival; returns whether it opens the barrier. */
static bool arrive(struct sync *s, struct event *op)
{
    struct tset waiting = s->holders;
    life_use(s, op);
    if (op->kind == EV_MEET && (uint32_t)tset_count(&s->seen_by) > s->limit)
        learn_order(s);
    object_perform(&s->now, op);
    bool last = tset_empty(&s->holders);
    sync_release(s);
    sched_log(op);
    if (!last)
        return false;
    sync_acquire(s);
    open_barrier(s, &waiting);
    return true;
}

RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
    PASSIVE(pthread_barrier_wait, b);
    struct sync *s = sync_get((uintptr_t)b, SYNC_BARRIER);
    uint64_t pc = RT_CALLER();
    bool meets = is_meeting(s, pc);
    struct event *op = sched_op(meets ? EV_MEET : EV_BARRIER, s->address, 0, pc);
    sched_visit_blocking(s);
    bool last = arrive(s, op);
    if (!last)
        sched_wait_parked(s, pc);
    if (meets)
        sched_log_followed(EV_MET, s->address, s->limit, 0, pc);
    else if (!last)
        sched_log_followed(EV_BARRIER_LEAVE, s->address, 0, 0, pc);
    if (!last)
        rt.self->resumed_at = rt.self->events;
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
