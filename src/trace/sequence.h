/* The engine that follows a given synchronization sequence (raddle check-sequence) and tells where the
 * program does not. The host puts the wanted operations into trace->events before it starts the worker
 * and finds the answer in the engine's state.
 *
 * A wanted operation is an event: thread, kind, object; for PORT_RECEIVE value = the sender and other =
 * which of its messages to that port (from 1); for CHOOSE value of other. */
#ifndef TRACE_SEQUENCE_H
#define TRACE_SEQUENCE_H

#include "trace/event.h"

#include <stdbool.h>

#define SEQUENCE_POSSIBLE 32

struct sequence {
    struct event *want;
    uint32_t count;
    uint32_t at;     /* operations that were performed as wanted */
    bool infeasible; /* … and the next one could not be */
    bool sends;      /* the sequence lists sends; otherwise they are performed when possible */
    uint32_t possible_count;
    struct event possible[SEQUENCE_POSSIBLE]; /* what threads stood before instead */
    bool enabled[SEQUENCE_POSSIBLE];          /* and whether they could have gone on */
    /* Messages sent: [i] = event, in the order of the trace. */
    struct sequence_send {
        uint32_t event, number;
        uint16_t thread;
        uint64_t port;
    } *sent;
    uint32_t sent_count;
};

#endif
