/* Threads: creation, end, join, detach. Creating, joining and ending concern nobody but the threads
 * involved, so they are performed without a decision (but see prepare): a new thread at once runs up to
 * its first visible operation, a joiner goes on as soon as its target has ended. */
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/check/stack.h"
#include "rt/core/fiber.h"
#include "rt/core/halfway.h"
#include "rt/core/interpose.h"
#include "rt/core/orbit.h"
#include "rt/core/sched.h"
#include "rt/core/stacks.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"
#include "rt/sym/sym.h"

#include "rewrite/hooks.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static int to_be_joined(pthread_t handle)
{
    int t = fiber_of_fs((uintptr_t)handle);
    return t < rt.threads ? t : -1;
}

int thread_of(pthread_t handle)
{
    int t = to_be_joined(handle);
    orbit_named(t);
    return t;
}

static void begin_clock(struct thread *t, const struct thread *parent)
{
    t->clock.n = 0;
    if (parent)
        vclock_copy(&t->clock, &parent->clock);
    vclock_extend(&t->clock, (uint32_t)t->id + 1);
    t->clock.c[t->id] = 1;
}

static struct thread *new_thread(void *(*start)(void *), void *arg, uint64_t pc)
{
    int id = rt.threads++;
    struct thread *t = &rt.all[id];
    t->id = id;
    stacks_usual(t);
#pragma GCC unroll 15 /* a call of memset becomes rep stos, which takes longer than all the rest here */
    for (unsigned i = 0; i < sizeof t->fresh / sizeof *t->fresh; i++)
        t->fresh[i] = 0;
    t->await.state = t->await.count = 0;
    t->round.at = t->round.fact = 0;
    t->resumed_at = id ? 1 : UINT32_MAX; /* behind its START */
    t->creator = id ? rt.current : -1;
    t->joining = -1;
    t->start = start;
    t->arg = arg;
    t->create_pc = pc;
    t->time = id ? rt.self->time : 0;
    t->state = THREAD_LOCAL;
    begin_clock(t, id ? rt.self : NULL);
    keys_begin(t);
    t->mask = id ? rt.self->mask : 0;
    tset_add(&rt.live, id);
    return t;
}

static void need_slots(int wanted)
{
    rt.redo = true;
    rt.slots_wanted = wanted;
    sched_end_execution(OUTCOME_COMPLETE);
}

/* Unless it was cancelled meanwhile. */
static void wake_joiner(const struct thread *t, int joiner)
{
    const struct thread *j = &rt.all[joiner];
    if (j->state == THREAD_JOINING && j->joining == t->id)
        sched_run_local_by(joiner, rt.trace->event_count); /* its EXIT */
}

/* Ends the running thread for everybody else; its fiber still runs until it gives up control. */
static void ended(struct thread *t)
{
    t->state = THREAD_DONE;
    tset_remove(&rt.live, t->id);
    if (t->joiners == 1)
        wake_joiner(t, t->joiner);
    else if (t->joiners)
        TSET_FOR(j, &rt.live)
            wake_joiner(t, j);
}

struct sync *thread_end_of(int thread)
{
    return sync_get(THREAD_OBJECTS + 8 * (uint64_t)thread, SYNC_OTHER);
}

void thread_end(void *result)
{
    struct thread *t = rt.self;
    t->result = result;
    once_thread_ends();
    locals_end();
    if (t->id || !rt.main_done) /* returning from main is exit(): no destructors of keys */
        keys_end(t);
    mutex_owner_ends();
    stack_ends();
    if (RT_UNLIKELY(rt.tries_join)) {
        struct sync *s = thread_end_of(t->id);
        struct event *op = sched_op(EV_THREAD_END, s->address, 8, t->create_pc);
        op->flags = rt.cancels ? EVENT_CANCELLABLE : 0;
        sched_visit();
        object_perform(&s->now, op);
        sched_log(op);
    }
    sched_log_local(EV_EXIT, 0, (uint64_t)result, 0, t->create_pc);
    orbit_ends(t);
    ended(t);
    sched_wait_local(THREAD_DONE);
    thread_main_resumed(); /* only main's fiber is ever resumed, to end the program */
}

static __attribute__((noinline)) void *run_symbolic(const struct thread *t)
{
    sym_thread_begins(t->id, t->start);
    void *result = t->start(t->arg);
    sym_thread_returned(t->start);
    return result;
}

static void thread_entry(void)
{
    struct thread *t = rt.self;
    if (RT_UNLIKELY(rt.keeps_floats))
        fiber_set_floats(t->floats);
    sched_log_followed(EV_START, (uint64_t)t->creator, 0, 0, (uint64_t)t->start);
    thread_end(RT_UNLIKELY(sym != NULL) ? run_symbolic(t) : t->start(t->arg));
}

/* A thread that was created, or has joined another or come through a barrier, does at once what it
 * does before its next operation, though it may not be its turn: nobody notices, unless it creates
 * threads. So that is a step then; what the new one does would otherwise come without the switches that
 * lead there (preemptions). Asked of the thread's own past only, so that it is the same in equivalent
 * interleavings. */
static void prepare(uint64_t pc)
{
    if (RT_LIKELY(rt.self->events != rt.self->resumed_at) || thread_alone())
        return;
    struct event *op = sched_op(EV_PREPARE, THREAD_OBJECTS + 8 * (uint64_t)rt.current, 8, pc);
    sched_visit();
    sched_log_only(op);
}

static void choose_stack(struct thread *t, const pthread_attr_t *attr, uint64_t pc)
{
    void *at = NULL;
    size_t size = 0;
    if (pthread_attr_getstack(attr, &at, &size))
        return;
    if (!((uintptr_t)at + size)) { /* as glibc tells that none was set */
        stacks_want(t, size);
    } else if (!stacks_take(t, at, size)) {
        finding_warn(pc, "a stack of the program's own that is this small is not used for the thread");
        finding_incomplete("a thread does not run on the stack that the program chose for it");
    }
}

int thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                  uint64_t pc)
{
    halfway_point();
    uint32_t shadow = RT_UNLIKELY(sym != NULL) ? sym_take_thread_value() : 0; /* before others come to this */
    prepare(pc);
    strings_read(attr, attr ? sizeof *attr : 0, pc);
    bool alike = orbit_alike(attr, start, arg);
    access_range((uintptr_t)out, sizeof *out, true, pc); /* others may go on, and create threads */
    int id = rt.threads, detached = 0;
    if (id >= EVENT_MAX_THREADS || (uint32_t)id >= rt.shared->config.max_threads) {
        finding_limit(LIMIT_THREADS, (uint64_t)id - 1);
        sched_stay_behind(); /* those that are there can find something yet */
    }
    if (id >= fiber_slots())
        need_slots(id * 2);
    *out = (pthread_t)fiber_fs(id);
    struct thread *t = new_thread(start, arg, pc);
    if (RT_UNLIKELY(sym != NULL)) {
        raddle_sym_clear((uintptr_t)out, sizeof *out); /* no input is in it any more */
        sym_thread_created(id, shadow);
    }
    if (attr && pthread_attr_getdetachstate(attr, &detached) == 0)
        t->detached = detached == PTHREAD_CREATE_DETACHED;
    if (attr)
        choose_stack(t, attr, pc);
    rt.self->clock.c[rt.current]++;
    fiber_prepare(t, thread_entry);
    sched_log_local(EV_CREATE, (uint64_t)id, 0, 0, pc);
    if (orbit_created(t, alike, attr != NULL)) {
        sched_park(t);
        return 0;
    }
    sched_run_local_by(rt.current, rt.trace->event_count);
    sched_run_local_by(id, rt.trace->event_count);
    sched_wait_local(THREAD_LOCAL);
    return 0;
}

RT_EXPORT int pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *),
                             void *arg)
{
    PASSIVE(pthread_create, out, attr, start, arg);
    return thread_create(out, attr, start, arg, RT_CALLER());
}

/* Undefined: the C library may have given its memory to another. */
static void joined_again(int id, uint64_t pc)
{
    finding_commit(finding_new(FINDING_LOCK, pc, 0, "thread %d is joined or detached, though it was joined "
                                                    "before", id));
    sched_end_execution(OUTCOME_COMPLETE);
}

/* Undefined: the C library looks for the thread there. Where nothing is it crashes; elsewhere it may say that
 * there is none. */
static __attribute__((cold, noinline)) int no_thread(pthread_t handle, uint64_t pc)
{
    if (access_mapped(handle, 8))
        return ESRCH;
    finding_commit(finding_new(FINDING_LOCK, pc, 0, "a thread is named that does not exist (pthread_t %#lx)",
                               handle));
    sched_end_execution(OUTCOME_COMPLETE);
    return ESRCH;
}

int thread_named(pthread_t handle, int *id, uint64_t pc)
{
    *id = thread_of(handle);
    return *id < 0 ? no_thread(handle, pc) : 0;
}

int thread_joinable(pthread_t handle, int *id, uint64_t pc)
{
    *id = to_be_joined(handle);
    if (*id < 0)
        return no_thread(handle, pc);
    if (*id == rt.current)
        return EDEADLK;
    if (rt.all[*id].joined)
        joined_again(*id, pc);
    return rt.all[*id].detached ? EINVAL : 0;
}

static __attribute__((noinline)) void give_result(const struct thread *t, void *result, uint32_t size,
                                                  uint64_t pc)
{
    access_range((uintptr_t)result, size, true, pc);
    rt_copy(result, &t->result, size);
    if (RT_UNLIKELY(sym != NULL))
        sym_thread_joined(t->id, result, size);
}

int thread_join(pthread_t handle, void *result, uint32_t size, uint64_t pc)
{
    int id, status = thread_joinable(handle, &id, pc);
    if (status)
        return status;
    struct thread *t = &rt.all[id];
    cancel_point(pc);
    sched_op(EV_JOIN, (uint64_t)id, 0, pc);
    rt.self->enabled_by = 0;
    while (t->state != THREAD_DONE) {
        rt.self->joining = id;
        t->joiners++;
        t->joiner = rt.current;
        sched_wait_local(THREAD_JOINING);
        rt.self->joining = -1;
        if (t->state != THREAD_DONE) /* to be cancelled */
            cancel_point(pc);
    }
    if (t->joined) /* by another that waited, too */
        joined_again(id, pc);
    t->joined = true;
    orbit_joined(t, result != NULL);
    vclock_join(&rt.self->clock, &t->clock);
    if (t->time > rt.self->time)
        rt.self->time = t->time;
    sched_log_followed(EV_JOIN, (uint64_t)id, (uint64_t)t->result, 0, pc);
    rt.self->resumed_at = rt.self->events;
    if (result)
        give_result(t, result, size, pc);
    return 0;
}

RT_EXPORT int pthread_join(pthread_t handle, void **result)
{
    PASSIVE(pthread_join, handle, result);
    return thread_join(handle, result, sizeof *result, RT_CALLER());
}

RT_EXPORT int pthread_detach(pthread_t handle)
{
    PASSIVE(pthread_detach, handle);
    int id, status = thread_named(handle, &id, RT_CALLER());
    if (status)
        return status;
    if (rt.all[id].joined)
        joined_again(id, RT_CALLER());
    if (rt.all[id].detached)
        return EINVAL;
    rt.all[id].detached = true;
    return 0;
}

static void main_entry(void)
{
    thread_run_main();
}

void thread_start_main(void)
{
    struct thread *t = new_thread(NULL, NULL, 0);
    rt.current = 0;
    rt.self = t;
    fiber_prepare(t, main_entry);
}

bool thread_alone(void)
{
    const struct vclock *known = &rt.self->clock;
    for (int t = 0; t < rt.threads; t++)
        if (t != rt.current &&
            (rt.all[t].state != THREAD_DONE || (uint32_t)t >= known->n ||
             known->c[t] < rt.all[t].clock.c[t]))
            return false;
    return true;
}

void thread_warn_unjoined(void)
{
    int n = 0, first = 0;
    for (int t = 1; t < rt.threads; t++)
        if (rt.all[t].state == THREAD_DONE && !rt.all[t].joined && !rt.all[t].detached && n++ == 0)
            first = t;
    if (n)
        finding_warn(rt.all[first].create_pc, "%d thread%s neither joined nor detached", n,
                     n == 1 ? " was" : "s were");
}
