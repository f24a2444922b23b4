/* raddle/sync.h — semaphores, locks, monitors, ports and selective wait for C programs.
 *
 * A program that uses this library is an ordinary pthread program; run under raddle, every operation is
 * controlled and `--engine reach` explores each synchronization sequence exactly once. Link with
 * -lraddle-sync (raddle cc links the runtime, which contains the library, instead).
 *
 * Objects must be initialised before other threads use them, by the init function or statically:
 *
 *     raddle_semaphore empty = RADDLE_SEMAPHORE(2);
 *     raddle_monitor m = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
 *     raddle_condition not_full = RADDLE_CONDITION(&m);
 *     raddle_port p = RADDLE_PORT(int, RADDLE_FIFO);
 *
 * Misuse (leaving a monitor one is not in, two receivers of one port) ends the program with a message;
 * under raddle it is a finding. */
#ifndef RADDLE_SYNC_H
#define RADDLE_SYNC_H

#include <pthread.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counting semaphores: wait (P) takes one and blocks while there is none; post (V) never blocks. */
typedef struct raddle_semaphore {
    unsigned value;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} raddle_semaphore;
#define RADDLE_SEMAPHORE(value) {(value), PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}
void raddle_semaphore_init(raddle_semaphore *s, unsigned value);
void raddle_semaphore_wait(raddle_semaphore *s);
int raddle_semaphore_try(raddle_semaphore *s); /* 1 if it took one, 0 if there was none */
void raddle_semaphore_post(raddle_semaphore *s);

/* Binary semaphores: the value is 0 or 1; post blocks while it is 1. */
typedef struct raddle_binary {
    unsigned value;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} raddle_binary;
#define RADDLE_BINARY(value) {(value), PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}
void raddle_binary_init(raddle_binary *b, unsigned value);
void raddle_binary_wait(raddle_binary *b);
void raddle_binary_post(raddle_binary *b);

/* Locks: not recursive, released by the thread that has taken them. */
typedef struct raddle_lock {
    pthread_mutex_t mutex;
} raddle_lock;
#define RADDLE_LOCK {PTHREAD_MUTEX_INITIALIZER}
void raddle_lock_init(raddle_lock *l);
void raddle_lock_take(raddle_lock *l);
void raddle_lock_release(raddle_lock *l);

/* Monitors. At most one thread is between enter and leave. Signal and continue: the signaller stays,
 * the thread it woke enters again in competition with others (so wait in a `while`). Signal and urgent
 * wait: the woken thread goes on at once, the signaller waits and comes before anybody who wants to
 * enter. Condition queues are first in, first out. */
enum raddle_signalling { RADDLE_SIGNAL_AND_CONTINUE, RADDLE_SIGNAL_AND_URGENT_WAIT };
struct raddle_waiter;
typedef struct raddle_monitor {
    enum raddle_signalling signalling;
    int inside;
    pthread_t owner;
    struct raddle_waiter *entry, *urgent;
    pthread_mutex_t mutex;
} raddle_monitor;
typedef struct raddle_condition {
    raddle_monitor *monitor;
    struct raddle_waiter *queue;
} raddle_condition;
#define RADDLE_MONITOR(signalling) {(signalling), 0, 0, NULL, NULL, PTHREAD_MUTEX_INITIALIZER}
#define RADDLE_CONDITION(monitor) {(monitor), NULL}
void raddle_monitor_init(raddle_monitor *m, enum raddle_signalling s);
void raddle_monitor_enter(raddle_monitor *m);
void raddle_monitor_leave(raddle_monitor *m);
/* Inside the condition's monitor only: */
void raddle_condition_init(raddle_condition *c, raddle_monitor *m);
void raddle_condition_wait(raddle_condition *c);
void raddle_condition_signal(raddle_condition *c);
void raddle_condition_broadcast(raddle_condition *c); /* signal and continue only */
int raddle_condition_empty(const raddle_condition *c); /* does nobody wait? */

/* Ports: many senders, one receiving thread (the first that receives). Messages travel for an unknown
 * time; the order says which may overtake which:
 *   RADDLE_FIFO    messages of one sender arrive in the order they were sent
 *   RADDLE_CAUSAL  a message sent after (happened-after) another to the same port arrives after it
 *   RADDLE_ASYNC   any message may overtake any other */
enum raddle_order { RADDLE_FIFO, RADDLE_CAUSAL, RADDLE_ASYNC };
struct raddle_message;
typedef struct raddle_port {
    size_t size; /* of a message */
    enum raddle_order order;
    unsigned capacity; /* messages under way before send blocks; 0 = no limit */
    int claimed, uniform;
    unsigned waiting;
    pthread_t receiver;
    struct raddle_message *first, *last;
} raddle_port;
#define RADDLE_PORT(type, order) {sizeof(type), (order), 0, 0, 0, 0, 0, NULL, NULL}
#define RADDLE_BOUNDED_PORT(type, order, capacity)                                                 \
    {sizeof(type), (order), (capacity), 0, 0, 0, 0, NULL, NULL}
void raddle_port_init(raddle_port *p, size_t message_size, enum raddle_order order,
                      unsigned capacity);
void raddle_port_send(raddle_port *p, const void *message); /* asynchronous */
void raddle_port_call(raddle_port *p, const void *message); /* returns when it was received */
void raddle_port_receive(raddle_port *p, void *message);
/* Promises that only the number of messages received from p matters, not which ones: under
 * --reduce=messages their order is not explored. */
void raddle_port_uniform(raddle_port *p);

/* Selective wait: receives one message from an alternative whose guard is true, and returns its number.
 * With RADDLE_ELSE it does not wait if there is no message: returns -1. With a timeout (milliseconds)
 * it waits so long: returns -1. Each port at most once. */
struct raddle_alternative {
    int guard;
    raddle_port *port;
    void *message;
};
#define RADDLE_WAIT (-1L)
#define RADDLE_ELSE 0L
int raddle_select(struct raddle_alternative *alternatives, int count, long timeout);

/* The calling thread does the same as every other thread that calls this with the same class (> 0):
 * under --reduce=symmetry executions that differ only in which of them came first are explored once. */
void raddle_symmetric(unsigned class_number);

#ifdef __cplusplus
}
#endif

#endif
