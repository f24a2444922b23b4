/* The calls that send signals: to the thread itself, to another one, to the process. */
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/signals.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <unistd.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

RT_EXPORT int raise(int sig)
{
    PASSIVE(raise, sig);
    if (sig < 0 || sig > 64)
        return fail(EINVAL);
    if (sig == 0)
        return 0;
    signals_carry(SI_TKILL, (union sigval){0});
    signals_raise(rt.current, sig, RT_PC());
    return 0;
}

/* That it has ended is no error, and a step like any other: before that the signal comes. */
static int send_to_thread(pthread_t thread, int sig, struct signal_note note, uint64_t pc)
{
    int id, status = thread_named(thread, &id, pc);
    if (status)
        return status;
    if (sig < 0 || sig > 64)
        return EINVAL;
    if (sig) {
        signals_carry(note.code, note.value);
        signals_raise(id, sig, pc);
    }
    return 0;
}

RT_EXPORT int pthread_kill(pthread_t thread, int sig)
{
    PASSIVE(pthread_kill, thread, sig);
    return send_to_thread(thread, sig, (struct signal_note){.code = SI_TKILL}, RT_PC());
}

RT_EXPORT int pthread_sigqueue(pthread_t thread, int sig, const union sigval value)
{
    PASSIVE(pthread_sigqueue, thread, sig, value);
    return send_to_thread(thread, sig, (struct signal_note){SI_QUEUE, value}, RT_PC());
}

static int send_to(pid_t pid, int sig, struct signal_note note, uint64_t pc)
{
    if (sig < 0 || sig > 64)
        return fail(EINVAL);
    if (pid == getpid() || pid == 0) {
        if (sig)
            signals_notify(-1, sig, note, pc);
        return 0;
    }
    finding_warn(pc, "kill() of another process is not performed");
    finding_incomplete("the program sends signals to other processes");
    return fail(EPERM);
}

RT_EXPORT int kill(pid_t pid, int sig)
{
    PASSIVE(kill, pid, sig);
    return send_to(pid, sig, (struct signal_note){.code = SI_USER}, RT_PC());
}

RT_EXPORT int sigqueue(pid_t pid, int sig, const union sigval value)
{
    PASSIVE(sigqueue, pid, sig, value);
    return send_to(pid, sig, (struct signal_note){SI_QUEUE, value}, RT_PC());
}
