/* Message queues: names, descriptors, attributes. Queues belong to one execution and are not known to any
 * other process. Opening and unlinking are operations on the table of names, so who comes first is
 * explored; the object of a queue follows from its name, so it is the same in every interleaving. A
 * descriptor is backed by an eventfd, which keeps its number from being given out again. The limits are
 * those of this system. */
#include "rt/posix/mqueue.h"

#include "rt/check/finding.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/strings.h"
#include "rt/tell/story.h"

#include "rt/core/interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define QUEUE_NAMES_OBJECT (QUEUE_OBJECTS + 8ull * QUEUE_NAMES)
#define MAX_QUEUES 256
#define MAX_DESCRIPTORS 1024
#define MESSAGES 65536u
#define BYTES (256u << 20)

static struct mqueue queues[MAX_QUEUES];
static struct queue_descriptor descriptors[MAX_DESCRIPTORS];
static struct queue_message *messages;
static char *bytes;
static uint32_t queue_count, messages_used, bytes_used, used_in;

static struct queue_limits {
    bool known;
    long messages, size, default_messages, default_size;
} limits;

static int fail(int error)
{
    errno = error;
    return -1;
}

static long read_limit(const char *path, long otherwise)
{
    char text[32];
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), value = 0;
    long n = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text);
    if (fd >= 0)
        syscall(SYS_close, fd);
    for (long i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        value = value * 10 + text[i] - '0';
    return value > 0 ? value : otherwise;
}

static void learn_limits(void)
{
    bool root = syscall(SYS_geteuid) == 0;
    limits = (struct queue_limits){
        .known = true,
        .messages = root ? 65536 : read_limit("/proc/sys/fs/mqueue/msg_max", 10),
        .size = root ? 16 << 20 : read_limit("/proc/sys/fs/mqueue/msgsize_max", 8192),
        .default_messages = read_limit("/proc/sys/fs/mqueue/msg_default", 10),
        .default_size = read_limit("/proc/sys/fs/mqueue/msgsize_default", 8192),
    };
}

static void begin_execution(void)
{
    if (used_in == rt.generation)
        return;
    used_in = rt.generation;
    queue_count = messages_used = bytes_used = 0;
    if (!limits.known)
        learn_limits();
    if (!messages) {
        messages = rt_map(NULL, MESSAGES * sizeof *messages, "message queues");
        bytes = rt_map(NULL, BYTES, "message queues");
    }
}

bool queue_is(int fd)
{
    return fd >= 0 && fd < MAX_DESCRIPTORS && descriptors[fd].generation == rt.generation;
}

struct queue_descriptor *queue_descriptor(mqd_t d)
{
    if (queue_is(d))
        return &descriptors[d];
    errno = EBADF;
    return NULL;
}

struct event *queue_visit(const struct mqueue *q, enum event_kind kind, uint64_t pc)
{
    struct event *op = sched_op(kind, q->object, 0, pc);
    sched_visit();
    return op;
}

void queue_done(const struct mqueue *q, struct event *op)
{
    struct sync *s = sync_get(q->object, SYNC_QUEUE);
    op->index = rt.self->events;
    object_perform_from(&s->now, op, op->match ? &rt.trace->events[op->match - 1] : NULL);
    sync_changed(s);
    sched_log(op);
}

/* ---- names ------------------------------------------------------------------------------------ */

static struct mqueue *find(const char *name)
{
    for (uint32_t i = 0; i < queue_count; i++)
        if (!queues[i].unlinked && !strcmp(queues[i].name, name))
            return &queues[i];
    return NULL;
}

static bool object_taken(uint64_t object)
{
    for (uint32_t i = 0; i < queue_count; i++)
        if (queues[i].object == object)
            return true;
    return false;
}

static uint64_t object_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 1099511628211u;
    uint64_t at = hash % QUEUE_NAMES;
    while (object_taken(QUEUE_OBJECTS + 8 * at))
        at = (at + 1) % QUEUE_NAMES;
    return QUEUE_OBJECTS + 8 * at;
}

static struct mqueue *make(const char *name, const struct mq_attr *a)
{
    long count = a ? a->mq_maxmsg : limits.default_messages;
    long size = a ? a->mq_msgsize : limits.default_size;
    if (count <= 0 || size <= 0 || count > limits.messages || size > limits.size) {
        errno = EINVAL;
        return NULL;
    }
    uint64_t total = (uint64_t)count * (uint64_t)size;
    if (queue_count == MAX_QUEUES || (uint64_t)count > MESSAGES - messages_used ||
        total > BYTES - bytes_used) {
        finding_limit(LIMIT_QUEUES, MAX_QUEUES);
        errno = ENOSPC;
        return NULL;
    }
    struct mqueue *q = &queues[queue_count];
    *q = (struct mqueue){.capacity = (uint32_t)count, .size = (uint32_t)size,
                        .object = object_of(name), .messages = messages + messages_used,
                        .bytes = bytes + bytes_used};
    rt_copy(q->name, name, strlen(name) + 1);
    for (uint32_t i = 0; i < q->capacity; i++)
        q->messages[i].place = i;
    queue_count++;
    messages_used += q->capacity;
    bytes_used += (uint32_t)total;
    sync_fresh(q->object, SYNC_QUEUE)->limit = q->capacity;
    return q;
}

static struct event *visit_names(uint64_t pc)
{
    struct event *op = sched_op(EV_RMW, QUEUE_NAMES_OBJECT, 8, pc);
    sched_visit();
    begin_execution();
    return op;
}

static struct mqueue *open_queue(const char *name, int flags, const struct mq_attr *a)
{
    struct mqueue *q = find(name);
    if (q && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return NULL;
    }
    if (q)
        return q;
    if (flags & O_CREAT)
        return make(name, a);
    errno = ENOENT;
    return NULL;
}

static mqd_t new_descriptor(struct mqueue *q, int flags)
{
    rt.files_opened = true;
    long fd = syscall(SYS_eventfd2, 0, EFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fd >= MAX_DESCRIPTORS) {
        finding_limit(LIMIT_DESCRIPTORS, MAX_DESCRIPTORS);
        syscall(SYS_close, fd);
        return fail(EMFILE);
    }
    int mode = flags & O_ACCMODE;
    descriptors[fd] = (struct queue_descriptor){
        .generation = rt.generation, .nonblocking = flags & O_NONBLOCK,
        .reads = mode != O_WRONLY, .writes = mode != O_RDONLY, .queue = q};
    return (mqd_t)fd;
}

static int bad_name(const char *name)
{
    if (name[0] != '/')
        return EINVAL;
    if (strlen(name) > NAME_MAX)
        return ENAMETOOLONG;
    return name[1] == 0 ? ENOENT : strchr(name + 1, '/') ? EACCES : 0;
}

RT_EXPORT mqd_t mq_open(const char *name, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    struct mq_attr *a = flags & O_CREAT ? va_arg(ap, struct mq_attr *) : NULL;
    va_end(ap);
    PASSIVE(mq_open, name, flags, mode, a);
    if (bad_name(name))
        return fail(bad_name(name));
    struct event *op = visit_names(RT_PC());
    struct mqueue *q = open_queue(name, flags, a);
    mqd_t d = q ? new_descriptor(q, flags) : -1;
    int error = errno;
    if (q && rt.recording)
        story_name(q->object, 8, q->name);
    sched_log(op);
    errno = error;
    return d;
}

RT_EXPORT int mq_unlink(const char *name)
{
    PASSIVE(mq_unlink, name);
    if (bad_name(name))
        return fail(bad_name(name));
    struct event *op = visit_names(RT_PC());
    struct mqueue *q = find(name);
    if (q)
        q->unlinked = true;
    sched_log(op);
    return q ? 0 : fail(ENOENT);
}

RT_EXPORT int mq_close(mqd_t d)
{
    PASSIVE(mq_close, d);
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd)
        return -1;
    struct event *op = queue_visit(qd->queue, EV_QUEUE_SET, RT_PC());
    qd->queue->notifies = false;
    qd->generation = 0;
    syscall(SYS_close, d);
    queue_done(qd->queue, op);
    return 0;
}

/* ---- attributes ------------------------------------------------------------------------------- */

static void fill_attributes(const struct queue_descriptor *qd, struct mq_attr *a)
{
    *a = (struct mq_attr){.mq_flags = qd->nonblocking ? O_NONBLOCK : 0,
                          .mq_maxmsg = qd->queue->capacity,
                          .mq_msgsize = qd->queue->size,
                          .mq_curmsgs = qd->queue->count};
}

RT_EXPORT int mq_getattr(mqd_t d, struct mq_attr *a)
{
    PASSIVE(mq_getattr, d, a);
    strings_write(a, sizeof *a, RT_PC());
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd)
        return -1;
    struct event *op = queue_visit(qd->queue, EV_QUEUE_LOOK, RT_PC());
    fill_attributes(qd, a);
    queue_done(qd->queue, op);
    return 0;
}

RT_EXPORT int mq_setattr(mqd_t d, const struct mq_attr *restrict new, struct mq_attr *restrict old)
{
    PASSIVE(mq_setattr, d, new, old);
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd)
        return -1;
    if (new->mq_flags & ~(long)O_NONBLOCK)
        return fail(EINVAL);
    struct event *op = queue_visit(qd->queue, EV_QUEUE_SET, RT_PC());
    if (old)
        fill_attributes(qd, old);
    qd->nonblocking = new->mq_flags & O_NONBLOCK;
    queue_done(qd->queue, op);
    return 0;
}

/* ---- being told of a message ------------------------------------------------------------------ */

static bool can_notify(const struct sigevent *e)
{
    return e->sigev_notify == SIGEV_NONE || e->sigev_notify == SIGEV_THREAD ||
           (e->sigev_notify == SIGEV_SIGNAL && e->sigev_signo > 0 && e->sigev_signo <= 64);
}

RT_EXPORT int mq_notify(mqd_t d, const struct sigevent *e)
{
    PASSIVE(mq_notify, d, e);
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd)
        return -1;
    if (e && !can_notify(e))
        return fail(EINVAL);
    struct mqueue *q = qd->queue;
    struct event *op = queue_visit(q, EV_QUEUE_SET, RT_PC());
    bool busy = e && q->notifies;
    if (!busy) {
        q->notifies = e != NULL;
        q->notice_pc = RT_PC();
        if (e)
            q->notice = *e;
    }
    queue_done(q, op);
    return busy ? fail(EBUSY) : 0;
}
