/* The calls that wait for signals of a set and take them. */
#include "rt/core/interpose.h"
#include "rt/posix/clock.h"
#include "rt/posix/signals.h"
#include "rt/posix/strings.h"

#include <errno.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

static int wait_for(const sigset_t *set, siginfo_t *info, bool timed, uint64_t pc)
{
    uint64_t signals;
    rt_copy(&signals, set, sizeof signals);
    return signals_wait_for(signals, info, timed, pc);
}

RT_EXPORT int sigwait(const sigset_t *restrict set, int *restrict sig)
{
    PASSIVE(sigwait, set, sig);
    int got;
    do
        got = wait_for(set, NULL, false, RT_PC());
    while (got < 0);
    strings_write(sig, sizeof *sig, RT_PC());
    *sig = got;
    return 0;
}

RT_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    PASSIVE(sigwaitinfo, set, info);
    strings_write(info, info ? sizeof *info : 0, RT_PC());
    return wait_for(set, info, false, RT_PC());
}

RT_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                           const struct timespec *restrict timeout)
{
    PASSIVE(sigtimedwait, set, info, timeout);
    if (timeout && !clock_valid(timeout))
        return fail(EINVAL);
    strings_write(info, info ? sizeof *info : 0, RT_PC());
    int sig = wait_for(set, info, timeout != NULL, RT_PC());
    if (sig < 0 && errno == EAGAIN)
        clock_pass(timeout);
    return sig;
}
