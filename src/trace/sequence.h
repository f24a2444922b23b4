/* The engine that follows a given synchronization sequence (raddle check-sequence) and tells where the
 * program does not. The host puts the wanted operations into trace->events before it starts the worker
 * and finds the answer in the engine's state.
 *
 * A wanted operation is an event: pc = the path of its thread, kind, object; for PORT_RECEIVE value = the
 * path of the sender and other = which of its messages to that port (from 1); for CHOOSE value of other.
 * The path of a thread is a number that follows from who created it: threads are called by that, since
 * their numbers in the runtime depend on who came first. */
#ifndef TRACE_SEQUENCE_H
#define TRACE_SEQUENCE_H

#include "trace/event.h"

#include <stdbool.h>

#define SEQUENCE_POSSIBLE EVENT_MAX_THREADS
#define SEQUENCE_MAIN 1ull /* path of the main thread */

static inline uint64_t sequence_path(uint64_t creator, uint64_t nth) /* from 1 */
{
    uint64_t x = (creator * 0x100000001b3ull + nth) * 0x9e3779b97f4a7c15ull;
    return x ^ x >> 31;
}

struct sequence {
    struct event *want;
    uint32_t count;
    uint32_t at;     /* operations that were performed as wanted */
    bool infeasible; /* … and the next one could not be */
    bool sends;      /* the sequence lists sends; otherwise they are performed when possible */
    uint32_t possible_count;
    struct event possible[SEQUENCE_POSSIBLE]; /* what threads stood before instead */
    bool enabled[SEQUENCE_POSSIBLE];          /* and whether they could have gone on */
    /* Threads by their number in the runtime. */
    struct sequence_thread {
        uint64_t path;
        uint16_t creator, nth, children;
    } thread[EVENT_MAX_THREADS];
    /* Messages sent: [i] = event, in the order of the trace. */
    struct sequence_send {
        uint32_t event, number;
        uint16_t thread;
        uint64_t port;
    } *sent;
    uint32_t sent_count;
};

#endif
