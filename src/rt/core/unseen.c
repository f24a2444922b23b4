/* A copy of the program's data is kept beside it, in which everything that events write is written too. What
 * differs was written by somebody whom the runtime does not see: a library or an object file that was not
 * built with raddle, a function without instrumentation. */
#include "rt/core/unseen.h"

#include "object/object.h"
#include "rt/core/restart.h"

#define OBJECT_BYTES 64 /* at most, of what a synchronization object has in memory */

static struct unseen_range {
    char *start, *expected;
    size_t size;
} *ranges;
static int range_count;
static uint32_t seen;  /* events */
static bool is_copied; /* in this execution */

void unseen_begin(void)
{
    is_copied = false;
}

static void copy_all(void)
{
    char *start;
    size_t size;
    for (int i = 0; (start = restart_program_range(i, &size)); i++) {
        if (i == range_count) {
            char *expected = rt_map(NULL, size, "a copy of the program's data");
            if (!ranges)
                ranges = rt_map(NULL, RESTART_RANGES * sizeof *ranges, "ranges of data");
            ranges[range_count++] = (struct unseen_range){start, expected, size};
        }
        rt_copy(ranges[i].expected, start, size);
    }
}

/* The bytes are as they should be. */
static void expect(uint64_t address, uint64_t size)
{
    for (int i = 0; i < range_count; i++) {
        const struct unseen_range *r = &ranges[i];
        uint64_t start = (uint64_t)(uintptr_t)r->start, end = start + r->size;
        uint64_t from = address > start ? address : start, to = address + size < end ? address + size : end;
        if (from < to)
            rt_copy(r->expected + (from - start), (const char *)(uintptr_t)from, to - from);
    }
}

bool unseen_changes(void)
{
    const struct trace *t = rt.trace;
    bool changes = false;
    if (!is_copied || rt.threads == 1) {
        copy_all();
        is_copied = true;
        seen = t->event_count;
        return false;
    }
    for (; seen < t->event_count; seen++) {
        const struct event *e = &t->events[seen];
        unsigned object = operation_of(e->kind)->object;
        if (object == OBJECT_MEMORY && event_class(e->kind) != CLASS_READ)
            expect(e->object, e->size);
        else if (object != OBJECT_MEMORY)
            expect(e->object, OBJECT_BYTES);
    }
    for (int i = 0; i < range_count && !changes; i++)
        changes = !rt_same(ranges[i].start, ranges[i].expected, ranges[i].size);
    return changes;
}
