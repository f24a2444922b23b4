/* The recording of one execution, written by the runtime while it replays a schedule with
 * config.record set, read by the reports: everything a report shows comes from it and the schedule.
 *
 * A file of a header and tagged records; each record is a struct story_record followed by `bytes`
 * bytes of payload (padded to 8). A reader skips tags it does not know. */
#ifndef TRACE_STORY_H
#define TRACE_STORY_H

#include "trace/shared.h"

#define STORY_MAGIC 0x796f747364617231ull
#define STORY_VERSION 3u
#define STORY_FRAMES 32
#define STORY_LIMIT (24u << 20) /* bytes of a recording: of a longer one the plain accesses at the beginning
                                  are left out, then all events there */

/* Registers as of a failed assertion are told as memory, by DWARF's numbers, where no program has any. */
#define STORY_REGISTERS 16
#define STORY_REGISTERS_AT 256u

enum story_tag {
    STORY_MODULE = 1, /* struct story_module */
    STORY_EVENT,      /* struct story_event; also plain accesses and mallocs (EVENT_PLAIN, EV_ALLOC) */
    STORY_NOTE,       /* struct story_event header is not repeated: uint64_t thread, then the text */
    STORY_FINDING,    /* struct finding (its `steps` pointer is meaningless) */
    STORY_STACK,      /* struct story_stack: where a thread stands at the finding/end */
    STORY_OUTPUT,     /* uint64_t thread, then what it wrote to stdout or stderr (possibly cut) */
    STORY_END,        /* struct story_end; missing: the worker died */
    STORY_CUT,        /* uint64_t: so many events before this place were left out (STORY_LIMIT) */
    STORY_CALLS,      /* struct story_calls: a call stack, which later records name by its number, from 1 */
    STORY_MEMORY,     /* uint64_t address, then what was there at the finding before: the stack that failed */
};

struct story_header {
    uint64_t magic;
    uint32_t version;
    uint32_t event_size; /* sizeof(struct event), against mismatched builds */
};

struct story_record {
    uint32_t tag;
    uint32_t bytes;
};

struct story_module {
    uint64_t base;       /* load address: file address + base = run-time address */
    uint64_t start, end; /* run-time range */
    char path[];         /* NUL-terminated */
};

struct story_frame {
    uint64_t pc;
    uint64_t base, sp; /* the frame pointer of its function, and its stack pointer at the call */
};

struct story_calls {
    uint32_t frames, unused;
    struct story_frame frame[]; /* innermost first; the first one's pc is that of the event */
};

struct story_event {
    struct event event;
    uint32_t step;  /* scheduling steps taken until then */
    uint32_t calls; /* number of its call stack; 0: none */
    uint32_t order; /* C11 memory order + 1 of an atomic operation if it is weaker than seq_cst */
    uint32_t unused;
};

struct story_stack {
    uint32_t thread;
    uint32_t calls;
    struct event next; /* what it is about to do */
};

struct story_end {
    uint32_t outcome; /* enum outcome of explore/engine.h */
    uint32_t steps;
    uint64_t events;
};

#endif
