/* The one event record that the runtime writes and every engine, checker and report reads.
 * An operation that a thread is about to perform (its *pending* operation) is the same record with
 * the result fields not yet set. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "trace/addresses.h"

#include <stdint.h>

enum event_class {
    CLASS_READ,
    CLASS_WRITE,
    CLASS_RMW,
    CLASS_ACQUIRE,
    CLASS_RELEASE,
    CLASS_SYNC,
    CLASS_LOCAL,
};

enum event_kind {
#define EVENT(kind, name, class) EV_##kind,
#include "trace/event.def"
#undef EVENT
    EVENT_KINDS
};

enum {
    EVENT_PLAIN = 1,    /* a plain access that is recorded for the story only, not a step */
    EVENT_SPUN = 2,     /* the thread had to wait until something it reads made this possible */
    EVENT_YIELDED = 4,  /* the thread gave way (yield, sleep) just before this operation */
    EVENT_TIMED = 8,    /* can also end by a timeout */
    EVENT_FAILED = 16,  /* performed, and did not get what it wanted: a pure read of the object */
    EVENT_SPINNING = 32, /* pending: the thread spins; enabled again when something it read changes */
    EVENT_COMPARE = 64,  /* a RMW that was a compare-exchange: in another order it could fail */
    EVENT_CANCELLABLE = 128, /* a request to cancel the thread changes whether or how this goes on */
};

struct event {
    union {
        struct {
            uint8_t kind; /* enum event_kind */
            uint8_t flags;
            uint16_t thread;
            uint32_t index; /* of the event in its thread, from 0 */
        };
        uint64_t head; /* the four as one word */
    };
    uint64_t object; /* address, or thread id for CREATE/JOIN */
    uint32_t size;   /* bytes accessed */
    uint32_t match;  /* index in the trace + 1 of the event it was matched with: of what was received the
                      * send, of what had to wait what let it go on (unlock, post, signal, exit, …);
                      * 0 = none */
    uint64_t pc;     /* return address in the program's code */
    uint64_t value;
    uint64_t other;
};

#define EVENT_HEAD(kind, thread) ((uint64_t)(kind) | (uint64_t)(thread) << 16)
#define EVENT_HEAD_FLAGS 0xff00ull
#define EVENT_HEAD_INDEX (~0ull << 32)

/* Word by word, as it was written: see the Makefile on vectors. */
static inline void event_copy(struct event *to, const struct event *from)
{
    to->head = from->head;
    to->object = from->object;
    to->size = from->size;
    to->match = from->match;
    to->pc = from->pc;
    to->value = from->value;
    to->other = from->other;
}

#define EVENT_MAX_THREADS 256
_Static_assert(EVENT_MAX_THREADS == ADDRESS_THREADS, "the map of addresses has room for all threads");

/* Objects that no address of the program is. */
#define EVENT_CANCEL_OBJECT(thread) (CANCEL_OBJECTS + 8 * (uint64_t)(thread))
#define EVENT_ENDS_OBJECT EVENT_CANCEL_OBJECT(EVENT_MAX_THREADS) /* that threads end */
#define EVENT_ALONE_OBJECT EVENT_CANCEL_OBJECT(EVENT_MAX_THREADS + 1) /* that nobody else goes on */
#define EVENT_EXIT_OBJECT EVENT_CANCEL_OBJECT(EVENT_MAX_THREADS + 2) /* who runs the exit handlers */

/* The set of objects that an AWAIT looks at: one bit for each word. */
static inline uint64_t event_object_bit(uint64_t object)
{
    return 1ull << ((object >> 3) * 0x9e3779b97f4a7c15ull >> 58);
}

const char *event_name(enum event_kind k);

extern const unsigned char event_classes[];
static inline enum event_class event_class(unsigned kind)
{
    return (enum event_class)event_classes[kind];
}

#endif
