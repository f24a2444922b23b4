/* The rest of pthreads: joining with a limit, attributes, names, and what concerns priorities and
 * processors, which is accepted and has no effect: every order is explored anyway. */
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/orbit.h"
#include "rt/core/sched.h"
#include "rt/core/stacks.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* ---- joining ---------------------------------------------------------------------------------- */

/* Whether the thread has ended is a read of what its end writes (thread_end). */
static int try_join(pthread_t handle, void **result, int otherwise, uint64_t pc)
{
    int id, status = thread_joinable(handle, &id, pc);
    orbit_named(status ? -1 : id);
    if (status)
        return status;
    struct sync *s = thread_end_of(id);
    sched_yielded(pc);
    struct event *op = sched_op(EV_JOIN_TRY, s->address, 8, pc);
    sched_visit();
    object_perform(&s->now, op);
    bool ended = op->value;
    sched_log(op);
    return ended ? thread_join(handle, result, sizeof *result, pc) : otherwise;
}

RT_EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
    PASSIVE(pthread_tryjoin_np, thread, result);
    return try_join(thread, result, EBUSY, RT_PC());
}

/* Without a limit it is a join. */
static int timed_join(pthread_t thread, void **result, clockid_t clock, const struct timespec *until,
                      uint64_t pc)
{
    if (!until)
        return pthread_join(thread, result);
    if (!clock_may_limit(clock) || !clock_valid(until))
        return EINVAL;
    int status = try_join(thread, result, ETIMEDOUT, pc);
    if (status == ETIMEDOUT)
        clock_reach(clock, until);
    return status;
}

RT_EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    PASSIVE(pthread_timedjoin_np, thread, result, until);
    return timed_join(thread, result, CLOCK_REALTIME, until, RT_PC());
}

RT_EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                                   const struct timespec *until)
{
    PASSIVE(pthread_clockjoin_np, thread, result, clock, until);
    return timed_join(thread, result, clock, until, RT_PC());
}

/* ---- attributes and names ----------------------------------------------------------------------- */

RT_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    PASSIVE(pthread_getattr_np, thread, attr);
    int id, status = thread_named(thread, &id, RT_PC());
    if (status)
        return status;
    const struct thread *t = &rt.all[id];
    status = pthread_attr_init(attr);
    if (status == 0)
        status = pthread_attr_setstack(attr, t->stack + t->stack_size - stacks_room(t), stacks_room(t));
    if (status == 0)
        status = pthread_attr_setdetachstate(attr, t->detached ? PTHREAD_CREATE_DETACHED
                                                               : PTHREAD_CREATE_JOINABLE);
    return status;
}

#define NAME_SIZE 16
static struct {
    char text[NAME_SIZE];
    uint32_t generation;
} names[EVENT_MAX_THREADS];

void thread_name(int id, uint64_t text[2])
{
    const char *name = names[id].generation == rt.generation ? names[id].text : "";
    text[0] = text[1] = 0;
    rt_copy(text, name, strlen(name));
}

RT_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    PASSIVE(pthread_setname_np, thread, name);
    strings_read_text(name, NAME_SIZE, RT_PC());
    int id = thread_of(thread);
    size_t n = strnlen(name, NAME_SIZE);
    if (id < 0 || n == NAME_SIZE)
        return id < 0 ? ESRCH : ERANGE;
    if (id != rt.current)
        capture_changes("a thread gives another one a name");
    rt_copy(names[id].text, name, n + 1);
    names[id].generation = rt.generation;
    return 0;
}

RT_EXPORT int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    PASSIVE(pthread_getname_np, thread, name, size);
    int id = thread_of(thread);
    if (id < 0 || size < NAME_SIZE)
        return id < 0 ? ESRCH : ERANGE;
    strings_write(name, NAME_SIZE, RT_PC());
    rt_format(name, size, "%s", names[id].generation == rt.generation ? names[id].text : "program");
    return 0;
}

/* ---- no effect ---------------------------------------------------------------------------------- */

#define ACCEPTED(name, parameters, ...)                                                            \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        PASSIVE(name, __VA_ARGS__);                                                                \
        return 0;                                                                                  \
    }
ACCEPTED(pthread_setschedparam, (pthread_t t, int policy, const struct sched_param *p), t, policy, p)
ACCEPTED(pthread_setschedprio, (pthread_t t, int priority), t, priority)
ACCEPTED(pthread_setaffinity_np, (pthread_t t, size_t n, const cpu_set_t *set), t, n, set)
ACCEPTED(sched_setaffinity, (pid_t pid, size_t n, const cpu_set_t *set), pid, n, set)
ACCEPTED(sched_setscheduler, (pid_t pid, int policy, const struct sched_param *p), pid, policy, p)

RT_EXPORT int pthread_getschedparam(pthread_t t, int *policy, struct sched_param *p)
{
    PASSIVE(pthread_getschedparam, t, policy, p);
    *policy = SCHED_OTHER;
    *p = (struct sched_param){0};
    return 0;
}

RT_EXPORT int pthread_getaffinity_np(pthread_t t, size_t n, cpu_set_t *set)
{
    PASSIVE(pthread_getaffinity_np, t, n, set);
    strings_write(set, n, RT_PC());
    int status = sched_getaffinity(0, n, set);
    return status < 0 ? errno : 0;
}
