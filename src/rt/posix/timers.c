/* POSIX timers. Setting one starts a thread that waits for the moment: it looks whether the timer is
 * still set as it was then, and if so notifies, by a signal or by calling the function. So it fires at
 * any moment after it was set (time may pass at any time), or never if the program ends or sets it
 * anew before. Setting, firing and the end of the program are operations on one word of the timer. A
 * timer that fires again and again is followed for a few times; that is said.
 *
 * A timer whose signal nobody handles is a watchdog, for programs that hang: it does not fire, since
 * where nobody can go on that is found anyway. */
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/posix/clock.h"
#include "rt/posix/signals.h"
#include "rt/posix/thread.h"
#include "rt/posix/timers.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#define PERIODS 2
#define MAX_TIMERS 64
#define PER_THREAD 8

/* The name is what reports show for `setting`. */
static struct timer {
    uint64_t setting; /* which setting is in force; 0 = none */
    bool exists;
    uint64_t settings;
    struct sigevent event;
    uint64_t at, every;
    uint64_t pc; /* of the last setting */
    clockid_t clock;
} timer[MAX_TIMERS];

/* What the thread of one setting needs to know. */
static struct firing {
    struct timer *timer;
    uint64_t setting, after, every, pc;
} firings[EVENT_MAX_THREADS]; /* of each thread */

static bool used; /* in this execution */

void timers_reset(void)
{
    if (used)
        rt_fill(timer, 0, sizeof timer);
    used = false;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static void change(struct timer *t, uint64_t setting, uint64_t pc)
{
    struct event *op = atomic_before(EV_STORE, (uintptr_t)&t->setting, 8, pc);
    op->other = t->setting;
    op->value = t->setting = setting;
    atomic_after(op);
}

static bool still_set(const struct firing *f)
{
    struct event *op = atomic_before(EV_LOAD, (uintptr_t)&f->timer->setting, 8, f->pc);
    op->value = f->timer->setting;
    atomic_after(op);
    return f->timer->setting == f->setting;
}

static void notify(const struct sigevent *e, uint64_t pc)
{
    if (e->sigev_notify == SIGEV_THREAD)
        e->sigev_notify_function(e->sigev_value);
    else if (e->sigev_notify == SIGEV_SIGNAL)
        signals_notify(-1, e->sigev_signo, (struct signal_note){SI_TIMER, e->sigev_value}, pc);
    else if (e->sigev_notify == SIGEV_THREAD_ID)
        signals_notify(e->_sigev_un._tid - getpid(), e->sigev_signo,
                       (struct signal_note){SI_TIMER, e->sigev_value}, pc);
}

static void *wait_and_fire(void *arg)
{
    const struct firing *f = arg;
    rt.self->mask = ~0ull;
    rt.self->time += f->after;
    for (int period = 0; still_set(f); period++) {
        if (period == PERIODS) {
            finding_limit(LIMIT_PERIODS, PERIODS);
            break;
        }
        if (f->timer->event.sigev_notify == SIGEV_SIGNAL && signals_would_kill(f->timer->event.sigev_signo))
            break; /* a watchdog */
        f->timer->at = f->every ? rt.self->time + f->every : 0;
        notify(&f->timer->event, f->pc);
        if (!f->every)
            break;
        rt.self->time += f->every;
    }
    return NULL;
}

static void start(struct timer *t, uint64_t after, uint64_t pc)
{
    struct firing *f = &firings[rt.threads % EVENT_MAX_THREADS];
    pthread_t thread;
    pthread_attr_t attr;
    *f = (struct firing){t, t->setting, after, t->every, pc};
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    thread_create(&thread, &attr, wait_and_fire, f, pc);
    pthread_attr_destroy(&attr);
}

/* The program ends: a timer that has not fired does not. */
void timers_stop(void)
{
    for (int i = 0; used && i < MAX_TIMERS; i++)
        if (timer[i].setting)
            change(&timer[i], 0, timer[i].pc);
}

/* Threads have places of their own, so that a timer is the same one in every interleaving. */
static struct timer *free_place(void)
{
    for (int i = 0; i < MAX_TIMERS; i++) {
        struct timer *t = &timer[(rt.current * PER_THREAD + i) % MAX_TIMERS];
        if (!t->exists)
            return t;
    }
    return NULL;
}

RT_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict out)
{
    PASSIVE(timer_create, clock, event, out);
    struct timer *t = free_place();
    if (!t) {
        finding_limit(LIMIT_TIMERS, MAX_TIMERS);
        return fail(EAGAIN);
    }
    if (event && event->sigev_notify != SIGEV_NONE && event->sigev_notify != SIGEV_THREAD &&
        (event->sigev_signo < 1 || event->sigev_signo > 64))
        return fail(EINVAL);
    *t = (struct timer){.exists = true, .clock = clock, .settings = t->settings,
                        .event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM}};
    if (event)
        t->event = *event;
    used = true;
    access_range((uintptr_t)out, sizeof *out, true, RT_PC());
    *out = t;
    return 0;
}

static struct timer *find(timer_t handle)
{
    struct timer *t = handle;
    capture_noticed("the program uses a timer");
    if (t >= timer && t < timer + MAX_TIMERS && t->exists)
        return t;
    errno = EINVAL;
    return NULL;
}

static void tell(const struct timer *t, struct itimerspec *out)
{
    uint64_t now = rt.self->time;
    *out = (struct itimerspec){.it_interval = clock_timespec(t->every),
                               .it_value = clock_timespec(!t->setting ? 0 : t->at > now ? t->at - now : 1)};
}

RT_EXPORT int timer_settime(timer_t handle, int flags, const struct itimerspec *restrict new,
                            struct itimerspec *restrict old)
{
    PASSIVE(timer_settime, handle, flags, new, old);
    struct timer *t = find(handle);
    if (!t)
        return -1;
    uint64_t after = clock_of_timespec(&new->it_value);
    bool set = after != 0;
    if (flags & TIMER_ABSTIME && set) {
        struct timespec now;
        clock_gettime(t->clock, &now);
        after = after > clock_of_timespec(&now) ? after - clock_of_timespec(&now) : 0;
    }
    if (old)
        tell(t, old);
    t->pc = RT_PC();
    t->every = clock_of_timespec(&new->it_interval);
    t->at = rt.self->time + after;
    change(t, set ? ++t->settings : 0, t->pc);
    if (set)
        start(t, after, t->pc);
    return 0;
}

RT_EXPORT int timer_gettime(timer_t handle, struct itimerspec *out)
{
    PASSIVE(timer_gettime, handle, out);
    const struct timer *t = find(handle);
    if (!t)
        return -1;
    tell(t, out);
    return 0;
}

RT_EXPORT int timer_getoverrun(timer_t handle)
{
    PASSIVE(timer_getoverrun, handle);
    return find(handle) ? 0 : -1;
}

RT_EXPORT int timer_delete(timer_t handle)
{
    PASSIVE(timer_delete, handle);
    struct timer *t = find(handle);
    if (!t)
        return -1;
    change(t, 0, RT_PC());
    t->exists = false;
    return 0;
}
