/* A copy of the program's memory is kept beside it, in which everything that events write is written
 * too. What differs was written by somebody whom the runtime does not see: a library or an object file
 * that was not built with raddle, a function without instrumentation. What is looked at is static data,
 * live blocks of the heap, mapped memory, and the stacks of threads that stand still. */
#include "rt/core/unseen.h"

#include "object/object.h"
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/core/capture.h"
#include "rt/core/restart.h"
#include "rt/posix/files.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OBJECT_BYTES 64 /* at most, of what a synchronization object has in memory */
#define PAGE 4096ull
#define MAPS_END (MAPS_BASE + MAPS_SIZE * EVENT_MAX_THREADS)

static struct unseen_range {
    char *start, *expected;
    size_t size;
    uint8_t *other; /* large ones: pages of `expected` that are not as at the start of an execution */
} *ranges;
static int range_count;
static char *heap_expected, *maps_expected; /* of all there can be: what is not touched costs nothing */
static uint32_t seen;  /* events */
static bool is_copied; /* in this execution */

/* The stack of a thread that stands, from where the program is on it. */
static struct unseen_stack {
    char *expected;
    uintptr_t from, to, base; /* from 0: it does not stand */
} stacks[EVENT_MAX_THREADS];

void unseen_begin(void)
{
    is_copied = false;
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        stacks[t].from = 0;
}

/* ---- pages of large ranges that this execution has written --------------------------------------------- */

/* Calls for each of them; false: one of the calls gave false. A large range is a private view of a file:
 * what was written there is not the file's any more. */
static bool written_pages(struct unseen_range *r, bool (*with)(struct unseen_range *r, size_t page))
{
    enum { AT_ONCE = 512 };
    uint64_t entries[AT_ONCE];
    size_t pages = r->size / PAGE;
    int fd = (int)syscall(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    bool good = true;
    for (size_t p = 0; good && p < pages; p += AT_ONCE) {
        size_t n = pages - p < AT_ONCE ? pages - p : AT_ONCE;
        off_t at = (off_t)(((uintptr_t)r->start / PAGE + p) * 8);
        bool told = fd >= 0 && syscall(SYS_pread64, fd, entries, n * 8, at) == (long)(n * 8);
        for (size_t i = 0; good && i < n; i++)
            if (!told || (entries[i] >> 62 && !(entries[i] >> 61 & 1)))
                good = with(r, p + i);
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
    return good;
}

static bool copy_page(struct unseen_range *r, size_t page)
{
    rt_copy(r->expected + page * PAGE, r->start + page * PAGE, PAGE);
    r->other[page] = 1;
    return true;
}

static bool same_page(struct unseen_range *r, size_t page)
{
    return rt_same(r->start + page * PAGE, r->expected + page * PAGE, PAGE);
}

static void copy_large(struct unseen_range *r)
{
    for (size_t p = 0; p < r->size / PAGE; p++)
        if (r->other[p]) {
            copy_page(r, p);
            r->other[p] = 0;
        }
    written_pages(r, copy_page);
}

/* ---- what is expected ---------------------------------------------------------------------------------- */

static struct unseen_range *range_at(char *start, size_t size, bool large)
{
    for (int i = 0; i < range_count; i++)
        if (ranges[i].start == start)
            return &ranges[i];
    if (!ranges)
        ranges = rt_map(NULL, RESTART_RANGES * sizeof *ranges, "ranges of data");
    struct unseen_range *r = &ranges[range_count++];
    *r = (struct unseen_range){.start = start, .size = size};
    r->expected = rt_map(NULL, size, "a copy of the program's data");
    if (large) {
        r->other = rt_map(NULL, size / PAGE + 1, "pages of large data");
        rt_copy(r->expected, start, size);
    }
    return r;
}

static void copy_from(char *expected, uintptr_t base, uintptr_t from, size_t size)
{
    access_try(expected + (from - base), from, size);
}

/* The bytes are as they should be. */
void unseen_expect(uint64_t address, uint64_t size)
{
    if (heap_expected && address - HEAP_BASE < HEAP_SIZE) {
        copy_from(heap_expected, HEAP_BASE, address, size);
        return;
    }
    if (maps_expected && address >= MAPS_BASE && address < MAPS_END) {
        for (uint64_t at = address, n; size; at += n, size -= n) { /* there may be holes */
            n = PAGE - at % PAGE < size ? PAGE - at % PAGE : size;
            copy_from(maps_expected, MAPS_BASE, at, n);
        }
        return;
    }
    for (int i = 0; i < range_count; i++) {
        struct unseen_range *r = &ranges[i];
        uint64_t start = (uint64_t)(uintptr_t)r->start, end = start + r->size;
        uint64_t from = address > start ? address : start, to = address + size < end ? address + size : end;
        if (from >= to)
            continue;
        rt_copy(r->expected + (from - start), (const char *)(uintptr_t)from, to - from);
        for (uint64_t p = (from - start) / PAGE; r->other && p <= (to - 1 - start) / PAGE; p++)
            r->other[p] = 1;
    }
    for (int t = 0; t < rt.threads; t++) {
        const struct unseen_stack *s = &stacks[t];
        uint64_t from = address > s->from ? address : s->from;
        uint64_t to = address + size < s->to ? address + size : s->to;
        if (s->from && from < to)
            rt_copy(s->expected + (from - s->base), (const char *)(uintptr_t)from, to - from);
    }
}

static bool expect_block(uintptr_t start, size_t size)
{
    unseen_expect(start, size);
    return true;
}

static void copy_all(void)
{
    char *start;
    size_t size;
    if (!heap_expected) {
        heap_expected = rt_map(NULL, HEAP_SIZE, "a copy of the heap");
        maps_expected = rt_map(NULL, MAPS_END - MAPS_BASE, "a copy of what is mapped");
    }
    for (int large = 0; large < 2; large++)
        for (int i = 0; (start = restart_program_range(i, large, &size)); i++) {
            struct unseen_range *r = range_at(start, size, large);
            if (large)
                copy_large(r);
            else
                rt_copy(r->expected, start, size);
        }
    heap_each(UNSEEN_MOST, expect_block);
    for (int t = 0; t < rt.threads; t++)
        if (maps_used(t) && maps_used(t) <= UNSEEN_MOST)
            unseen_expect(MAPS_BASE + (uint64_t)t * MAPS_SIZE, maps_used(t));
}

/* ---- what is there ------------------------------------------------------------------------------------- */

static bool same_block(uintptr_t start, size_t size)
{
    return rt_same((const void *)start, heap_expected + (start - HEAP_BASE), size);
}

static bool same_mapped(int t)
{
    char now[PAGE];
    uint64_t base = MAPS_BASE + (uint64_t)t * MAPS_SIZE;
    if (maps_used(t) > UNSEEN_MOST)
        capture_hidden("what code that raddle does not see may change in more than 16 MiB that are mapped");
    for (uint64_t at = 0; at < maps_used(t) && maps_used(t) <= UNSEEN_MOST; at += PAGE)
        if (access_try(now, base + at, PAGE) && !rt_same(now, maps_expected + (base + at - MAPS_BASE), PAGE))
            return false;
    return true;
}

static bool same_ranges(void)
{
    bool same = true;
    for (int i = 0; i < range_count && same; i++)
        same = ranges[i].other ? written_pages(&ranges[i], same_page)
                               : rt_same(ranges[i].start, ranges[i].expected, ranges[i].size);
    return same;
}

static bool same_stacks(void)
{
    bool same = true;
    for (int t = 0; t < rt.threads && same; t++) {
        const struct unseen_stack *s = &stacks[t];
        if (t != rt.current && s->from && tset_has(&rt.live, t))
            same = rt_same((const void *)s->from, s->expected + (s->from - s->base), s->to - s->from);
    }
    return same;
}

void unseen_stands(uintptr_t sp)
{
    struct unseen_stack *s = &stacks[rt.current];
    const struct thread *t = rt.self;
    uintptr_t base = (uintptr_t)t->stack, to = base + t->stack_size - 64;
    s->from = 0;
    if (sp < base || sp >= to)
        return;
    if (!s->expected || s->base != base) {
        s->expected = rt_map(NULL, t->stack_size, "a copy of a stack");
        s->base = base;
    }
    s->from = sp;
    s->to = to;
    rt_copy(s->expected + (sp - base), (const void *)sp, to - sp);
}

bool unseen_changes(void)
{
    const struct trace *t = rt.trace;
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
            unseen_expect(e->object, e->size);
        else if (object != OBJECT_MEMORY)
            unseen_expect(e->object, OBJECT_BYTES);
    }
    bool same = same_ranges() && heap_each(UNSEEN_MOST, same_block) && same_stacks();
    for (int k = 0; k < rt.threads && same; k++)
        same = same_mapped(k);
    return !same;
}
