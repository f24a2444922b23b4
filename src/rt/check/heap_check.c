/* What is wrong with an access to the heap or with a free, in words. The kind of error follows from
 * the shadow and from the table of blocks (heap_block.c); every finding names the access, and the
 * block by where it was allocated and freed. These errors end the execution. */
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/check/heap_impl.h"
#include "rt/core/sched.h"

#include <dlfcn.h>

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void allocated_here(struct finding *f, const struct block *b)
{
    bool before = heap_arena_of(b->start) == &heap.arena[HEAP_BEFORE];
    enum fact_kind kind = before ? FACT_ALLOCATED_EARLY : FACT_ALLOCATED;
    finding_fact(f, kind, b->thread, b->alloc_pc, b->start)->number = b->size;
}

static void freed_here(struct finding *f, const struct block *b)
{
    finding_fact(f, FACT_FREED, b->freed_by, b->free_pc, b->start);
    f->pc2 = b->free_pc;
}

static void __attribute__((noreturn)) end(struct finding *f)
{
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

/* ---- accesses --------------------------------------------------------------------------------- */

static void use_after_free(uintptr_t address, size_t size, const char *access, const struct block *b,
                           uintptr_t pc)
{
    struct finding *f = finding_new(FINDING_HEAP, pc, b->start,
                                    "use after free: %s of %lu byte%s at offset %lu of a freed block "
                                    "of %lu byte%s",
                                    access, (unsigned long)size, plural(size),
                                    (unsigned long)(address - b->start), (unsigned long)b->size,
                                    plural(b->size));
    finding_fact_about(f, FACT_ACCESSES, rt.current, pc, address, access)->number = size;
    freed_here(f, b);
    allocated_here(f, b);
    end(f);
}

/* Where the access lies: across the end of the block, after it, before it. */
static void describe_place(char *out, size_t room, uintptr_t address, size_t size,
                           const struct block *b)
{
    uintptr_t end = b->start + b->size;
    if (address >= b->start && address < end)
        rt_format(out, room, " that runs %lu byte%s past the end of", address + size - end,
                  plural(address + size - end));
    else if (address == end)
        rt_format(out, room, " right after the end of");
    else if (address > end)
        rt_format(out, room, ", %lu byte%s after the end of", address - end, plural(address - end));
    else
        rt_format(out, room, ", %lu byte%s before", b->start - address, plural(b->start - address));
}

static void out_of_bounds(uintptr_t address, size_t size, const char *access, const struct block *b,
                          uintptr_t pc)
{
    char place[80];
    describe_place(place, sizeof place, address, size, b);
    struct finding *f = finding_new(FINDING_HEAP, pc, b->start,
                                    "out of bounds: %s of %lu byte%s%s a %sblock of %lu byte%s",
                                    access, (unsigned long)size, plural(size), place,
                                    b->state == BLOCK_FREED ? "freed " : "",
                                    (unsigned long)b->size, plural(b->size));
    finding_fact_about(f, FACT_ACCESSES, rt.current, pc, address, access)->number = size;
    allocated_here(f, b);
    if (b->state == BLOCK_FREED)
        freed_here(f, b);
    end(f);
}

static void never_allocated(uintptr_t address, size_t size, const char *access, uintptr_t pc)
{
    struct finding *f = finding_new(FINDING_HEAP, pc, address,
                                    "wild %s of %lu byte%s in heap memory that was never allocated",
                                    access, (unsigned long)size, plural(size));
    finding_fact_about(f, FACT_ACCESSES, rt.current, pc, address, access)->number = size;
    end(f);
}

/* The block a bad address belongs to: the one it lies in or, between two, the nearer one; NULL if
 * there is none within reach. */
static const struct block *owner(uintptr_t bad)
{
    const struct heap_arena *a = heap_arena_of(bad);
    const struct block *b = heap_block_near(bad), *next = NULL;
    uint32_t number = b ? (uint32_t)(b - a->block) : 0;
    if (b && bad - b->start < b->size)
        return b;
    if (number < a->count)
        next = &a->block[number + 1];
    if (next && next->start - bad <= 16 && (!b || next->start - bad < bad - (b->start + b->size)))
        return next;
    return b && bad - b->start < b->capacity + 4096 ? b : NULL;
}

void heap_bad_access(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    const char *access = write ? "write" : "read";
    uintptr_t bad = address; /* the first byte that may not be accessed */
    while (*heap_shadow(bad) <= 8 && (bad & 7) < *heap_shadow(bad) && bad + 1 < address + size)
        bad++;
    const struct block *b = owner(bad);
    if (!b)
        never_allocated(address, size, access, pc);
    else if (bad - b->start < b->size)
        use_after_free(address, size, access, b, pc);
    else
        out_of_bounds(address, size, access, b, pc);
}

bool heap_extent(uintptr_t address, uintptr_t *start, uint64_t *size)
{
    const struct block *b = address - HEAP_BASE < HEAP_SIZE ? heap_block_near(address) : NULL;
    if (!b || b->state == BLOCK_FREED || address - b->start >= b->size)
        return false;
    *start = b->start;
    *size = b->size;
    return true;
}

void heap_check_slow(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (!rt.active)
        return;
    uintptr_t end = address + size;
    for (uintptr_t g = address & ~7ul; g < end && heap_has(g); g += 8) {
        uint8_t s = *heap_shadow(g);
        if (s != 8 && (s > 8 || end > g + s) && size) {
            heap_bad_access(address, size, write, pc);
            return;
        }
    }
}

/* ---- frees ------------------------------------------------------------------------------------ */

void heap_double_free(const struct block *b, const char *what, uintptr_t pc)
{
    struct finding *f =
        finding_new(FINDING_HEAP, pc, b->start, "double free: %s of a freed block of %lu byte%s",
                    what, (unsigned long)b->size, plural(b->size));
    finding_fact_about(f, FACT_FREES_AGAIN, rt.current, pc, b->start, what);
    freed_here(f, b);
    allocated_here(f, b);
    end(f);
}

void heap_bad_free(uintptr_t address, const char *what, uintptr_t pc)
{
    const struct block *b = heap_has(address) ? owner(address) : NULL;
    struct finding *f;
    if (!b)
        f = finding_new(FINDING_HEAP, pc, address,
                        "invalid free: %s of {}, which is not a heap block", what);
    else
        f = finding_new(FINDING_HEAP, pc, b->start,
                        "invalid free: %s of an address %ld byte%s from the start of a block of %lu "
                        "byte%s",
                        what, (long)(address - b->start), plural(address - b->start),
                        (unsigned long)b->size, plural(b->size));
    finding_fact_about(f, FACT_CALLS, rt.current, pc, address, what);
    if (b)
        allocated_here(f, b);
    end(f);
}

void heap_too_much(size_t size)
{
    uint64_t limit = rt.shared->config.max_heap;
    if (limit && (heap.carved > limit || size > limit)) /* otherwise heap_take has said it */
        finding_limit(LIMIT_HEAP, limit >> 20);
    sched_end_execution(OUTCOME_BOUND);
}

/* ---- leaks ------------------------------------------------------------------------------------ */

static bool starts_with(const char *s, const char *prefix)
{
    while (*prefix && *s == *prefix)
        s++, prefix++;
    return !*prefix;
}

/* libc keeps memory of its own (buffers of stdio, …) that is not the program's to free. */
static bool allocated_by_libc(uintptr_t pc)
{
    static struct {
        uintptr_t pc;
        bool libc;
    } known[16];
    unsigned i = (pc ^ pc >> 7) % 16;
    if (known[i].pc != pc) {
        Dl_info module = {0};
        dladdr((void *)pc, &module);
        const char *path = module.dli_fname;
        known[i].pc = pc;
        known[i].libc = false;
        for (; path && *path && !known[i].libc; path++)
            known[i].libc = starts_with(path, "/libc.so") || starts_with(path, "/ld-linux");
    }
    return known[i].libc;
}

void heap_leaks(void)
{
    if (heap.allocs == heap.frees || tset_empty(&heap.used))
        return;
    unsigned long count = 0, bytes = 0;
    uintptr_t first = 0;
    TSET_FOR(t, &heap.used) {
        const struct heap_arena *a = &heap.arena[t];
        for (uint32_t i = 1; i <= a->count; i++) {
            const struct block *b = &a->block[i];
            if (b->state != BLOCK_LIVE || allocated_by_libc(b->alloc_pc))
                continue;
            if (!count++)
                first = b->alloc_pc;
            bytes += b->size;
        }
    }
    if (count)
        finding_warn(first, "%lu block%s of together %lu bytes never freed; the first was allocated "
                     "here", count, plural(count), bytes);
}
