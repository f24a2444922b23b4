/* A recording (trace/story.h) read into memory: what every report tells from. */
#ifndef REPORT_TALE_H
#define REPORT_TALE_H

#include "base/error.h"
#include "base/mem.h"
#include "trace/schedule.h"
#include "trace/story.h"

struct tale_module {
    uint64_t base, start, end;
    char *path;
};

struct tale_event {
    struct event event;
    uint32_t step;
    uint32_t frames; /* call stack, innermost first; pc[0] is the event's own */
    const uint64_t *pc;
    const struct story_frame *frame; /* the same with where each lies on the stack; NULL if unknown */
    uint32_t order; /* C11 memory order + 1 if it is weaker than seq_cst */
    char *note; /* text of EV_NOTE, or a line that the program printed */
    int prints, whole; /* that it is; and whether it has its end */
};

/* Where a thread stood when a finding was made. */
struct tale_stack {
    size_t finding; /* index */
    uint32_t thread, frames;
    struct event next; /* what it was about to do */
    const uint64_t *pc;
    const struct story_frame *frame;
};

struct tale_calls {
    uint32_t frames;
    uint64_t *pc;
    struct story_frame *frame;
};

/* Memory as it was at a finding. */
struct tale_memory {
    size_t finding;
    uint64_t address, size;
    char *bytes;
};

struct tale_finding {
    struct finding finding;
    size_t at; /* events told before it */
};

struct tale {
    VEC(struct tale_module) modules;
    VEC(struct tale_event) events;
    VEC(struct tale_finding) findings;
    VEC(struct tale_stack) stacks;
    VEC(struct tale_calls) calls;
    VEC(struct tale_memory) memory;
    uint64_t left_out; /* events before events.items[left_out_at] that the recording had no room for */
    size_t left_out_at;
    int ended;         /* it has its end: the worker did not die */
    struct story_end end;
};

int tale_read(struct tale *t, int fd, const char *name, struct error *e);
void tale_free(struct tale *t);

/* Where the thread stood at that finding, or NULL. */
const struct tale_stack *tale_stack(const struct tale *t, const struct tale_finding *f, int thread);

/* The module an address lies in, or NULL; and "module+0xoffset" (allocated), or NULL. */
const struct tale_module *tale_module_at(const struct tale *t, uint64_t address);
char *tale_place(const struct tale *t, uint64_t address);

/* Is it the finding that the schedule names? */
int tale_is_finding(const struct tale *t, const struct finding *f, const struct schedule *s);

/* Is the address in code that is not the user's: the runtime or the C library? */
int tale_foreign(const struct tale *t, uint64_t address);

#endif
