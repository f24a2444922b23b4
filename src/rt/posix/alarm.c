/* alarm and setitimer: the signal comes when a sleeping thread's time has come to it, or when nobody can
 * go on otherwise. */
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/posix/cancel.h"
#include "rt/posix/signalfd.h"
#include "rt/posix/signals.h"

#include <sys/time.h>
#include <unistd.h>

#define NANO 1000000000ull

static uint64_t alarm_at, alarm_every;

void alarm_reset(void)
{
    alarm_at = alarm_every = 0;
}

static uint64_t set_alarm(uint64_t after, uint64_t every)
{
    capture_changes("the program sets an alarm");
    uint64_t left = alarm_at > rt.self->time ? alarm_at - rt.self->time : 0;
    alarm_at = after ? rt.self->time + after : 0;
    alarm_every = every;
    return left;
}

static void alarm_fires(void)
{
    alarm_at = alarm_every ? alarm_at + alarm_every : 0;
    signals_carry(SI_KERNEL, (union sigval){0});
    signals_pend(-1, &(struct event){.kind = EV_SIGNAL_SEND, .value = SIGALRM});
    signalfd_changed(SIGALRM);
}

uint64_t signals_slept(void)
{
    uint64_t at = alarm_at, now = rt.self->time;
    if (RT_LIKELY(!at) || now < at)
        return 0;
    alarm_fires();
    block_recheck();
    uint32_t before = signals_handled();
    if (rt.self->attention && !cancel_acts(rt.self))
        signals_attend();
    if (signals_handled() == before)
        return 0;
    rt.self->time = at;
    return now - at;
}

bool signals_time_passes(void)
{
    if (!alarm_at)
        return false;
    TSET_FOR(t, &rt.live)
        if (rt.all[t].time < alarm_at)
            rt.all[t].time = alarm_at;
    alarm_fires();
    block_recheck();
    return !tset_empty(&rt.enabled) || rt.run_count;
}

RT_EXPORT unsigned alarm(unsigned seconds)
{
    PASSIVE(alarm, seconds);
    return (unsigned)((set_alarm(seconds * NANO, 0) + NANO - 1) / NANO);
}

RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
                        struct itimerval *restrict old)
{
    PASSIVE(setitimer, which, new, old);
    uint64_t left =
        set_alarm((uint64_t)new->it_value.tv_sec * NANO + (uint64_t)new->it_value.tv_usec * 1000,
                  (uint64_t)new->it_interval.tv_sec * NANO +
                      (uint64_t)new->it_interval.tv_usec * 1000);
    if (old)
        *old = (struct itimerval){.it_value = {(time_t)(left / NANO), (long)(left % NANO / 1000)}};
    return 0;
}
