/* Users and groups of the process. Changing them is not performed: it could not be put back after an
 * execution, and the C library's functions signal every thread and wait for it. The program sees what it
 * would see; what it may and may not do with files does not change, so the verdict is incomplete. */
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/process_state.h"

#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REAL_ID, EFFECTIVE, SAVED, IDS };

static struct ids {
    uint32_t of[IDS];
} users, groups;

#define KEEP ((uint32_t)-1)

/* As the execution has changed them; as the kernel has them before that. */
static const struct ids *look(struct ids *which)
{
    if (!process_has_user()) {
        syscall(SYS_getresuid, &users.of[0], &users.of[1], &users.of[2]);
        syscall(SYS_getresgid, &groups.of[0], &groups.of[1], &groups.of[2]);
    }
    return which;
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

static void not_performed(uint64_t pc)
{
    finding_warn(pc, "another user or group has no effect under raddle: the rights of the process do not "
                 "change");
    finding_incomplete("the program changes its user or group, which is not performed");
}

static bool is_root(void)
{
    return look(&users)->of[EFFECTIVE] == 0;
}

/* KEEP leaves one as it is. Who is not root may only take on what he has. */
static int change(struct ids *which, struct ids to, uint64_t pc)
{
    struct ids old = *look(which);
    bool same = true;
    for (int i = 0; i < IDS; i++) {
        to.of[i] = to.of[i] == KEEP ? old.of[i] : to.of[i];
        same &= to.of[i] == old.of[i];
    }
    for (int i = 0; i < IDS && !is_root(); i++)
        if (to.of[i] != old.of[REAL_ID] && to.of[i] != old.of[EFFECTIVE] && to.of[i] != old.of[SAVED])
            return refuse(EPERM);
    if (same)
        return 0;
    not_performed(pc);
    process_keeps_user();
    *which = to;
    return 0;
}

static int set_all(struct ids *which, uint32_t id, uint64_t pc)
{
    bool root = is_root();
    if (id == KEEP)
        return refuse(EINVAL);
    return change(which, root ? (struct ids){{id, id, id}} : (struct ids){{KEEP, id, KEEP}}, pc);
}

static int set_effective(struct ids *which, uint32_t id, uint64_t pc)
{
    return id == KEEP ? refuse(EINVAL) : change(which, (struct ids){{KEEP, id, KEEP}}, pc);
}

/* The saved one follows where the real one is given, or the effective one is another than the real one
 * was. */
static int set_two(struct ids *which, uint32_t real, uint32_t effective, uint64_t pc)
{
    const struct ids *old = look(which);
    uint32_t becomes = effective == KEEP ? old->of[EFFECTIVE] : effective;
    bool follows = real != KEEP || (effective != KEEP && effective != old->of[REAL_ID]);
    if (!is_root() && real != KEEP && real != old->of[REAL_ID] && real != old->of[EFFECTIVE])
        return refuse(EPERM);
    return change(which, (struct ids){{real, effective, follows ? becomes : KEEP}}, pc);
}

static int tell(struct ids *which, uint32_t *real, uint32_t *effective, uint32_t *saved)
{
    const struct ids *now = look(which);
    *real = now->of[REAL_ID];
    *effective = now->of[EFFECTIVE];
    *saved = now->of[SAVED];
    return 0;
}

#define ASKS(name, which, number)                                                                  \
    RT_EXPORT uint32_t name(void)                                                                  \
    {                                                                                              \
        PASSIVE(name);                                                                             \
        return look(&which)->of[number];                                                           \
    }
ASKS(getuid, users, REAL_ID)
ASKS(geteuid, users, EFFECTIVE)
ASKS(getgid, groups, REAL_ID)
ASKS(getegid, groups, EFFECTIVE)

#define SETS(name, set, which)                                                                     \
    RT_EXPORT int name(uint32_t id)                                                                \
    {                                                                                              \
        PASSIVE(name, id);                                                                         \
        return set(&which, id, RT_PC());                                                           \
    }
SETS(setuid, set_all, users)
SETS(setgid, set_all, groups)
SETS(seteuid, set_effective, users)
SETS(setegid, set_effective, groups)

#define SETS_SEVERAL(two, three, asks, which)                                                      \
    RT_EXPORT int two(uint32_t own, uint32_t effective)                                           \
    {                                                                                              \
        PASSIVE(two, own, effective);                                                             \
        return set_two(&which, own, effective, RT_PC());                                          \
    }                                                                                              \
    RT_EXPORT int three(uint32_t own, uint32_t effective, uint32_t saved)                         \
    {                                                                                              \
        PASSIVE(three, own, effective, saved);                                                    \
        return change(&which, (struct ids){{own, effective, saved}}, RT_PC());                    \
    }                                                                                              \
    RT_EXPORT int asks(uint32_t *own, uint32_t *effective, uint32_t *saved)                       \
    {                                                                                              \
        PASSIVE(asks, own, effective, saved);                                                     \
        return tell(&which, own, effective, saved);                                               \
    }
SETS_SEVERAL(setreuid, setresuid, getresuid, users)
SETS_SEVERAL(setregid, setresgid, getresgid, groups)

RT_EXPORT int setgroups(size_t count, const gid_t *list)
{
    PASSIVE(setgroups, count, list);
    if (!is_root())
        return refuse(EPERM);
    not_performed(RT_PC());
    return 0;
}

RT_EXPORT int initgroups(const char *user, gid_t group)
{
    PASSIVE(initgroups, user, group);
    if (!is_root())
        return refuse(EPERM);
    not_performed(RT_PC());
    return 0;
}
