/* alarm and setitimer: the signal comes when a sleeping thread's time has come to it, or when nobody can
 * go on otherwise. */
#include "rt/check/finding.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/posix/cancel.h"
#include "rt/posix/clock.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/process_state.h"
#include "rt/posix/signalfd.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"

#include <unistd.h>

static uint64_t alarm_at, alarm_every;

void alarm_reset(void)
{
    alarm_at = alarm_every = 0;
}

static uint64_t left(void)
{
    return alarm_at > rt.self->time ? alarm_at - rt.self->time : 0;
}

static struct itimerval tell(uint64_t after, uint64_t every)
{
    return (struct itimerval){.it_value = {(time_t)(after / NANO), (long)(after % NANO / 1000)},
                              .it_interval = {(time_t)(every / NANO), (long)(every % NANO / 1000)}};
}

/* What it was before. */
static struct itimerval set_alarm(uint64_t after, uint64_t every, uint64_t pc)
{
    capture_changes("the program sets an alarm");
    struct event *op = process_step(PROCESS_ALARM, false, pc);
    struct itimerval before = tell(left(), alarm_every);
    alarm_at = after ? rt.self->time + after : 0;
    alarm_every = every;
    table_done(op, true);
    return before;
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
    struct itimerval before = set_alarm(seconds * NANO, 0, RT_PC());
    return (unsigned)(before.it_value.tv_sec + (before.it_value.tv_usec > 0));
}

RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
                        struct itimerval *restrict old)
{
    PASSIVE(setitimer, which, new, old);
    if (which != ITIMER_REAL) {
        finding_warn(RT_PC(), "timers of processor time do not go off under raddle");
        finding_incomplete("the program sets a timer of processor time");
        return 0;
    }
    uint64_t every = clock_of_timeval(&new->it_interval);
    struct itimerval before = set_alarm(clock_of_timeval(&new->it_value), every, RT_PC());
    if (old)
        *old = before;
    return 0;
}

RT_EXPORT int getitimer(__itimer_which_t which, struct itimerval *now)
{
    PASSIVE(getitimer, which, now);
    strings_write(now, sizeof *now, RT_PC());
    table_done(process_step(PROCESS_ALARM, true, RT_PC()), false);
    *now = which == ITIMER_REAL ? tell(left(), alarm_every) : (struct itimerval){0};
    return 0;
}
