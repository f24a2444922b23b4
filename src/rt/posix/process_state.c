/* What the kernel keeps for the whole process beside its files: the mask for new files, limits, the
 * priority. Setting it, and looking, are steps once there are several threads, and it is put back
 * after every execution. Limits are only kept here: they would be the runtime's too. */
#include "rt/posix/process_state.h"

#include "rt/check/finding.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    bool mask, priority, user;
    uint8_t refused; /* enum refused */
    uint64_t limits; /* which */
} changed;
static mode_t mask_before;
static int priority_before;
static const char *refused_call;
static struct rlimit limits[RLIM_NLIMITS];

void process_state_reset(void)
{
    if (changed.mask)
        REAL(umask)(mask_before);
    if (changed.priority && REAL(setpriority)(PRIO_PROCESS, 0, priority_before))
        finding_incomplete("a lowered priority cannot be put back after an execution (--isolate fork)");
    changed = (typeof(changed)){0};
}

struct event *process_step(enum process_part part, bool looks, uint64_t pc)
{
    static const char *const names[] = {"the mask for new files", "limits", "the priority", "the alarm"};
    return thread_alone() ? NULL : table_step(PROCESS_OBJECTS + 8 * part, names[part], looks, pc);
}

void process_note_refused(enum refused how, const char *what)
{
    if (changed.refused < how)
        refused_call = what;
    changed.refused = changed.refused < how ? (uint8_t)how : changed.refused;
}

const char *process_refused_before(enum finding_kind kind)
{
    bool gives_up = kind == FINDING_CRASH || kind == FINDING_ASSERT || kind == FINDING_EXIT;
    bool stuck = kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK;
    bool doubtful = (gives_up && changed.refused) || (stuck && changed.refused == REFUSED_PROCESS);
    return doubtful ? refused_call : NULL;
}

bool process_has_user(void)
{
    return changed.user;
}

void process_keeps_user(void)
{
    changed.user = true;
}

RT_EXPORT mode_t umask(mode_t mask)
{
    PASSIVE(umask, mask);
    struct event *op = process_step(PROCESS_MASK, false, RT_PC());
    mode_t old = REAL(umask)(mask);
    if (!changed.mask)
        mask_before = old;
    changed.mask = true;
    table_done(op, true);
    return old;
}

static int limit_of(unsigned which, struct rlimit *out)
{
    if (which >= RLIM_NLIMITS || !(changed.limits >> which & 1))
        return REAL(getrlimit)((__rlimit_resource_t)which, out);
    *out = limits[which];
    return 0;
}

static int set_limit(unsigned which, const struct rlimit *new, uint64_t pc)
{
    struct rlimit now;
    if (limit_of(which, &now))
        return -1;
    if (new->rlim_cur > new->rlim_max || (new->rlim_max > now.rlim_max && geteuid())) {
        errno = new->rlim_cur > new->rlim_max ? EINVAL : EPERM;
        return -1;
    }
    if (new->rlim_cur < now.rlim_cur && which != RLIMIT_CORE) {
        finding_warn(pc, "a limit that is lowered has no effect under raddle");
        finding_incomplete("the program lowers a limit, which is not enforced");
    }
    capture_changes("the program sets a limit");
    limits[which] = *new;
    changed.limits |= 1ull << which;
    return 0;
}

RT_EXPORT int getrlimit(__rlimit_resource_t which, struct rlimit *out)
{
    PASSIVE(getrlimit, which, out);
    strings_write(out, sizeof *out, RT_PC());
    table_done(process_step(PROCESS_LIMITS, true, RT_PC()), false);
    return limit_of(which, out);
}

RT_EXPORT int setrlimit(__rlimit_resource_t which, const struct rlimit *new)
{
    PASSIVE(setrlimit, which, new);
    struct event *op = process_step(PROCESS_LIMITS, false, RT_PC());
    int status = set_limit(which, new, RT_PC());
    table_done(op, status == 0);
    return status;
}

RT_EXPORT int prlimit(pid_t pid, enum __rlimit_resource which, const struct rlimit *new,
                      struct rlimit *old)
{
    PASSIVE(prlimit, pid, which, new, old);
    if (pid && pid != getpid())
        return REAL(prlimit)(pid, which, new, old);
    struct event *op = process_step(PROCESS_LIMITS, !new, RT_PC());
    struct rlimit before;
    int status = limit_of(which, &before);
    if (status == 0 && new)
        status = set_limit(which, new, RT_PC());
    table_done(op, new && status == 0);
    if (status == 0 && old)
        *old = before;
    return status;
}

RT_EXPORT int getpriority(__priority_which_t which, id_t who)
{
    PASSIVE(getpriority, which, who);
    table_done(process_step(PROCESS_PRIORITY, true, RT_PC()), false);
    return REAL(getpriority)(which, who);
}

static void note_priority(void)
{
    if (!changed.priority)
        priority_before = REAL(getpriority)(PRIO_PROCESS, 0);
    changed.priority = true;
}

RT_EXPORT int setpriority(__priority_which_t which, id_t who, int priority)
{
    PASSIVE(setpriority, which, who, priority);
    struct event *op = process_step(PROCESS_PRIORITY, false, RT_PC());
    note_priority();
    int status = REAL(setpriority)(which, who, priority);
    table_done(op, status == 0);
    return status;
}

RT_EXPORT int nice(int by)
{
    PASSIVE(nice, by);
    struct event *op = process_step(PROCESS_PRIORITY, false, RT_PC());
    note_priority();
    int now = REAL(nice)(by);
    table_done(op, true);
    return now;
}
