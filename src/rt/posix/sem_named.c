/* Named semaphores: a table of names for one execution, not known to any other process. Opening and
 * unlinking are operations on the table, so who comes first is explored. */
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/check/finding.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_NAMED 64
#define NAME_SIZE 252

static struct named {
    char name[NAME_SIZE];
    bool unlinked;
    uint32_t opened;
    sem_t sem;
} named[MAX_NAMED];
static int named_count;
static uint32_t named_in; /* the execution they belong to */

static struct named *find(const char *name)
{
    if (named_in != rt.generation) {
        named_in = rt.generation;
        named_count = 0;
    }
    for (int i = 0; i < named_count; i++)
        if (!named[i].unlinked && !strcmp(named[i].name, name))
            return &named[i];
    return NULL;
}

static struct event *announce(uint64_t pc)
{
    struct event *op = sched_op(EV_RMW, SEM_NAMES_OBJECT, 8, pc);
    sched_visit();
    return op;
}

static struct named *make(const char *name, unsigned value)
{
    if (named_count == MAX_NAMED || strlen(name) >= NAME_SIZE) {
        errno = named_count == MAX_NAMED ? EMFILE : ENAMETOOLONG;
        if (named_count == MAX_NAMED)
            finding_limit(LIMIT_SEMAPHORES, MAX_NAMED);
        return NULL;
    }
    struct named *n = &named[named_count++];
    *n = (struct named){0};
    rt_copy(n->name, name, strlen(name) + 1);
    sync_fresh((uintptr_t)&n->sem, SYNC_SEM)->count = (int32_t)value;
    return n;
}

static sem_t *open_named(const char *name, int flags, unsigned value, uint64_t pc)
{
    struct event *op = announce(pc);
    struct named *n = find(name);
    if (n && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        n = NULL;
    } else if (!n && !(flags & O_CREAT)) {
        errno = ENOENT;
    } else if (!n) {
        n = make(name, value);
    }
    if (n)
        n->opened++;
    sched_log(op);
    return n ? &n->sem : SEM_FAILED;
}

RT_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(ap, unsigned) : 0;
    va_end(ap);
    PASSIVE(sem_open, name, flags, mode, value);
    return open_named(name, flags, value, RT_PC());
}

RT_EXPORT int sem_close(sem_t *sem)
{
    PASSIVE(sem_close, sem);
    for (int i = 0; i < named_count; i++)
        if (&named[i].sem == sem && named_in == rt.generation && named[i].opened) {
            named[i].opened--;
            return 0;
        }
    errno = EINVAL;
    return -1;
}

RT_EXPORT int sem_unlink(const char *name)
{
    PASSIVE(sem_unlink, name);
    struct event *op = announce(RT_PC());
    struct named *n = find(name);
    if (n)
        n->unlinked = true;
    else
        errno = ENOENT;
    sched_log(op);
    return n ? 0 : -1;
}
