/* Sending to and receiving from message queues. A blocking operation is pending until the queue has room
 * or a message; with O_NONBLOCK or a timeout it is always possible and fails, or has timed out, if there
 * is none when it is performed. A message carries its sender's clock, so that only its receiver is
 * ordered after it; a sender that could send only because something had been received is ordered after
 * the receivers.
 *
 * A notification goes out with the message that finds the queue empty, whether or not somebody is about
 * to receive: a signal to the process, or a thread that the sender creates. */
#include "rt/core/block.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/mqueue.h"
#include "rt/posix/signals.h"

#include "rt/posix/clock.h"
#include "rt/core/interpose.h"
#include "rt/core/spin.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <time.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

static enum event_kind kind_of(bool sends, bool waits)
{
    if (sends)
        return waits ? EV_QUEUE_SEND : EV_QUEUE_TRYSEND;
    return waits ? EV_QUEUE_RECEIVE : EV_QUEUE_TRYRECEIVE;
}

/* Announces the operation; 0 if it is to be performed now, or the error number it failed with. */
static int visit(const struct queue_descriptor *qd, bool sends, const struct timespec *until,
                 uint64_t pc)
{
    const struct mqueue *q = qd->queue;
    bool waits = !qd->nonblocking && !until;
    if (until && !clock_valid(until))
        return EINVAL;
    struct sync *s = sync_get(q->object, SYNC_QUEUE);
    cancel_point(pc);
    for (;;) {
        struct event *op = sched_op(kind_of(sends, waits), q->object, 0, pc);
        op->other = q->capacity;
        op->flags = waits ? cancel_flag() : 0;
        if (!waits)
            spin_before_read(op);
        sched_visit_blocking(s);
        if (sends ? (uint32_t)s->count < s->limit : s->count > 0) {
            rt.self->interrupted = false; /* the request to cancel it stays */
            return 0;
        }
        queue_done(q, op);
        if (RT_UNLIKELY(rt.self->interrupted) && block_was_interrupted(pc) && waits)
            return EINTR;
        if (!waits)
            break;
    }
    if (qd->nonblocking)
        return EAGAIN;
    clock_timed_out(CLOCK_REALTIME, until, pc);
    return ETIMEDOUT;
}

static void notify(struct mqueue *q, uint64_t pc)
{
    pthread_t thread;
    pthread_attr_t detached;
    q->notifies = false;
    if (q->notice.sigev_notify == SIGEV_SIGNAL) {
        struct signal_note note = {SI_MESGQ, q->notice.sigev_value};
        signals_notify(-1, q->notice.sigev_signo, note, pc);
    } else if (q->notice.sigev_notify == SIGEV_THREAD) {
        pthread_attr_init(&detached);
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        void *(*start)(void *) = (void *(*)(void *))(void *)q->notice.sigev_notify_function;
        thread_create(&thread, &detached, start, q->notice.sigev_value.sival_ptr, q->notice_pc);
        pthread_attr_destroy(&detached);
    }
}

static int send(mqd_t d, const char *from, size_t length, unsigned priority,
                const struct timespec *until, uint64_t pc)
{
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd || !qd->writes)
        return fail(EBADF);
    struct mqueue *q = qd->queue;
    if (priority >= MQ_PRIO_MAX || (until && (until->tv_nsec < 0 || until->tv_nsec > 999999999)))
        return fail(EINVAL);
    if (length > q->size)
        return fail(EMSGSIZE);
    strings_read(from, length, pc);
    int error = visit(qd, true, until, pc);
    if (error)
        return fail(error);
    struct sync *s = sync_get(q->object, SYNC_QUEUE);
    if (q->sent >= q->capacity)
        sync_acquire(s);
    struct queue_message *m = &q->messages[q->count++];
    vclock_copy(&m->clock, &rt.self->clock);
    rt.self->clock.c[rt.current]++;
    m->time = rt.self->time;
    m->order = q->sent++;
    m->event = rt.trace->event_count;
    m->length = (uint32_t)length;
    m->priority = priority;
    rt_copy(q->bytes + (size_t)m->place * q->size, from, length);
    queue_done(q, &rt.next[rt.current]);
    if (q->count == 1 && q->notifies)
        notify(q, pc);
    return 0;
}

/* The oldest of the highest priority. */
static uint32_t first_message(const struct mqueue *q)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < q->count; i++) {
        const struct queue_message *m = &q->messages[i], *b = &q->messages[best];
        if (m->priority > b->priority || (m->priority == b->priority && m->order < b->order))
            best = i;
    }
    return best;
}

/* Takes message i out; the last one takes its place. Its bytes stay where they are until the next send. */
static void remove_message(struct mqueue *q, uint32_t i, struct queue_message *out)
{
    struct queue_message *last = &q->messages[--q->count];
    *out = q->messages[i];
    q->messages[i] = *last;
    last->place = out->place;
}

static ssize_t receive(mqd_t d, char *to, size_t room, unsigned *priority,
                       const struct timespec *until, uint64_t pc)
{
    struct queue_descriptor *qd = queue_descriptor(d);
    if (!qd || !qd->reads)
        return fail(EBADF);
    struct mqueue *q = qd->queue;
    if (until && (until->tv_nsec < 0 || until->tv_nsec > 999999999))
        return fail(EINVAL);
    if (room < q->size)
        return fail(EMSGSIZE);
    int error = visit(qd, false, until, pc);
    if (error)
        return fail(error);
    struct queue_message m;
    struct sync *s = sync_get(q->object, SYNC_QUEUE);
    struct event *op = &rt.next[rt.current];
    remove_message(q, first_message(q), &m);
    vclock_join(&rt.self->clock, &m.clock);
    if (m.time > rt.self->time)
        rt.self->time = m.time;
    sync_release(s);
    rt_copy(to, q->bytes + (size_t)m.place * q->size, m.length);
    op->match = m.event + 1;
    queue_done(q, op);
    strings_write(to, m.length, pc);
    if (priority)
        *priority = m.priority;
    return (ssize_t)m.length;
}

RT_EXPORT int mq_send(mqd_t d, const char *from, size_t length, unsigned priority)
{
    PASSIVE(mq_send, d, from, length, priority);
    return send(d, from, length, priority, NULL, RT_PC());
}

RT_EXPORT int mq_timedsend(mqd_t d, const char *from, size_t length, unsigned priority,
                           const struct timespec *until)
{
    PASSIVE(mq_timedsend, d, from, length, priority, until);
    return send(d, from, length, priority, until, RT_PC());
}

RT_EXPORT ssize_t mq_receive(mqd_t d, char *to, size_t room, unsigned *priority)
{
    PASSIVE(mq_receive, d, to, room, priority);
    return receive(d, to, room, priority, NULL, RT_PC());
}

RT_EXPORT ssize_t mq_timedreceive(mqd_t d, char *restrict to, size_t room,
                                  unsigned *restrict priority,
                                  const struct timespec *restrict until)
{
    PASSIVE(mq_timedreceive, d, to, room, priority, until);
    return receive(d, to, room, priority, until, RT_PC());
}
