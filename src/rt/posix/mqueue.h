/* POSIX message queues, as objects of one execution: names and descriptors are in mqueue.c, sending and
 * receiving in mqueue_io.c. */
#ifndef RT_MQUEUE_H
#define RT_MQUEUE_H

#include "rt/core/rt.h"

#include <mqueue.h>
#include <signal.h>

#define QUEUE_NAMES 4096u
#define QUEUE_NAME_SIZE 256

struct queue_message {
    struct vclock clock; /* of the sender when it sent */
    uint64_t time;
    uint64_t order; /* of arrival */
    uint32_t event; /* of the send in the trace */
    uint32_t length, priority;
    uint32_t place; /* of its bytes, in units of the queue's message size */
};

struct mqueue {
    char name[QUEUE_NAME_SIZE];
    uint64_t object;
    bool unlinked;
    uint32_t capacity, size; /* messages, bytes of each */
    uint32_t count;
    uint64_t sent;                  /* so far */
    struct queue_message *messages; /* [capacity]; those beyond count have the free places */
    char *bytes;
    bool notifies;
    struct sigevent notice;
    uint64_t notice_pc; /* where it was asked for */
};

struct queue_descriptor {
    uint32_t generation; /* of the execution it is open in */
    bool nonblocking, reads, writes;
    struct mqueue *queue;
};

/* NULL, with errno set, if it is none. */
struct queue_descriptor *queue_descriptor(mqd_t d);
bool queue_is(int fd);
/* Announces an operation that never blocks, and the queue's state in what is logged of it. */
struct event *queue_visit(const struct mqueue *q, enum event_kind kind, uint64_t pc);
void queue_done(const struct mqueue *q, struct event *op);

#endif
