/* What the inquiries into the kinds of findings share. */
#ifndef REPORT_CAUSES_IMPL_H
#define REPORT_CAUSES_IMPL_H

#include "report/causes.h"

struct inquiry {
    struct names *n;
    const struct report_finding *f;
    const struct tale *tale;
    const struct tale_finding *told;
    size_t end; /* events before the finding */
    int registers; /* of the failing frame are known */
    struct causes *out;
};

#define NO_EVENT SIZE_MAX

static inline const struct event *inquiry_event(const struct inquiry *q, size_t i)
{
    return &q->tale->events.items[i].event;
}

/* A sentence; with an event its place and the number of its step are told too. */
void inquiry_say(struct inquiry *q, size_t event, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void inquiry_object(struct inquiry *q, uint64_t address); /* the failure is about it */
const char *inquiry_thread(struct inquiry *q, int thread); /* "thread 1 (worker)" */
const char *inquiry_name(struct inquiry *q, size_t event); /* of what the event is on */
const char *inquiry_value(struct inquiry *q, size_t event); /* that it read or wrote */
const char *inquiry_step(struct inquiry *q, size_t event); /* " in step 7", or "" before the first */

int event_reads(const struct event *e);
int event_writes(const struct event *e);
int event_on(const struct event *e, uint64_t address); /* does it access that byte? */

/* The last event before `before` that wrote, or that accessed, the address; of `thread` if that is >= 0. */
size_t inquiry_write(const struct inquiry *q, uint64_t address, int thread, size_t before);
size_t inquiry_access(const struct inquiry *q, uint64_t address, int thread, size_t before);

/* What a thread holds just before an event. */
enum { HELD_MOST = 16 };
struct held {
    uint64_t lock[HELD_MOST];
    int reading[HELD_MOST]; /* for reading only */
    int count;
};
void inquiry_held(const struct inquiry *q, int thread, size_t before, struct held *out);
int held_has(const struct held *h, uint64_t lock);
const char *inquiry_locks(struct inquiry *q, const struct held *h); /* "a and b", "nothing" */

/* Where the value of the object came from: who wrote it last, and whether that undid what another thread had
 * written in between. 1 if it did. */
int inquiry_origin(struct inquiry *q, uint64_t address, const char *name);

/* The failing thread looked at something, another one changed it, and it went on by that: 1 if so. */
int inquiry_stale(struct inquiry *q);

/* Why nothing orders what `first` did and what comes at the end in thread `second`. */
void inquiry_unordered(struct inquiry *q, size_t first, int second);

/* The kinds. */
void causes_of_values(struct inquiry *q); /* assertions, crashes */
void causes_of_waiting(struct inquiry *q); /* deadlocks, livelocks */
void causes_of_race(struct inquiry *q);
void causes_of_heap(struct inquiry *q);
void causes_of_stack(struct inquiry *q);
void causes_of_misuse(struct inquiry *q); /* of a lock */

#endif
