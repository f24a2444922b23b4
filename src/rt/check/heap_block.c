/* Arenas, blocks and the shadow of the heap.
 *
 * Each thread cuts its blocks from its own arena, in order, so the address of its k-th block does not
 * depend on what other threads do. A block of n bytes lies in a capacity of a size class, between 16
 * bytes of header (the number of the block) and 16 of tail; all that is not its n bytes is marked in
 * the shadow as not addressable. A freed block stays in the quarantine until --quarantine bytes were
 * freed after it, then waits for reuse in the list of its size class: both functions of the thread's
 * own calls only. With --reuse a freed block waits in a list of the
 * thread that freed it instead, and whether that thread is given it again is a choice of each malloc.
 *
 * What is known of a block lies in a table outside of the heap, sorted by address since blocks are
 * never split or joined; the header only makes finding it fast and need not be trusted.
 * Memory from `dirty` on has never been touched since it was last given back to the system, so only
 * what lies before must be zeroed for a new block. */
#include "rt/check/benign.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/check/heap_impl.h"
#include "rt/check/race.h"
#include "rt/core/capture.h"
#include "rt/sym/sym.h"

#include "rewrite/hooks.h"

#include <sys/mman.h>

#define HEADER 16
#define TAIL 16
#define FIRST 64                    /* where the blocks of an arena begin */
#define BLOCKS (1u << 21) /* per arena */
#define LARGE (128u << 10)
#define KEEP (1u << 20)             /* bytes of an arena that are not given back between executions */

static struct block *table;

void heap_init(void)
{
    heap.mode = HEAP_CONTROLLED;
    heap.quarantine = 256 << 10; /* until it is known */
    if (table)
        return;
    rt_map((void *)HEAP_BASE, HEAP_SIZE, "the program's heap");
    rt_map((void *)HEAP_SHADOW, HEAP_SIZE / 8, "the shadow of the heap");
    table = rt_map(NULL, sizeof *table * BLOCKS * HEAP_ARENAS, "the table of heap blocks");
    for (unsigned i = 0; i < HEAP_ARENAS; i++) {
        struct heap_arena *a = &heap.arena[i];
        a->base = HEAP_BASE + i * HEAP_ARENA;
        a->top = a->dirty = a->base + FIRST;
        a->block = table + (size_t)i * BLOCKS;
    }
}

/* ---- size classes: multiples of 16 up to 1 KiB, then eight to each power of two --------------- */

static inline unsigned class_of(size_t size, size_t *capacity)
{
    if (size <= 1024) {
        unsigned k = size ? (unsigned)(size + 15) / 16 : 1;
        *capacity = k * 16;
        return k;
    }
    unsigned shift = 60u - (unsigned)__builtin_clzl(size - 1);
    size_t steps = ((size - 1) >> shift) + 1;
    *capacity = steps << shift;
    return 64 + (shift - 7) * 8 + (unsigned)steps - 8;
}

/* ---- shadow ----------------------------------------------------------------------------------- */

static inline void fill(uint8_t *at, uint8_t value, size_t n)
{
    if (n > 64) {
        rt_fill(at, value, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        at[i] = value;
        __asm__("" ::: "memory"); /* not a call of memset */
    }
}

void heap_mark_live(const struct block *b)
{
    uint8_t *s = heap_shadow(b->start);
    fill(s, 8, b->size / 8);
    if (b->size % 8)
        s[b->size / 8] = b->size % 8;
}

static void mark_not_addressable(const struct block *b)
{
    fill(heap_shadow(b->start), 0, b->capacity / 8);
}

static inline void zero(struct heap_arena *a, uintptr_t from, uintptr_t to)
{
    if (to > a->dirty)
        to = a->dirty;
    if (from >= to)
        return;
    if (to - from > 256) {
        rt_fill((void *)from, 0, to - from);
        return;
    }
    for (; from < to; from += 8)
        *(volatile uint64_t *)from = 0;
}

/* ---- taking and giving ------------------------------------------------------------------------ */

static struct block *cut(struct heap_arena *a, size_t capacity, size_t alignment)
{
    uintptr_t start = (a->top + HEADER + alignment - 1) & ~(alignment - 1);
    uintptr_t top = start + capacity + TAIL;
    if (a->count + 1 >= BLOCKS)
        finding_limit(LIMIT_BLOCKS, BLOCKS);
    if (capacity > HEAP_ARENA || top > a->base + HEAP_ARENA)
        finding_limit(LIMIT_ARENA, HEAP_ARENA >> 20);
    if (capacity > HEAP_ARENA || top > a->base + HEAP_ARENA || a->count + 1 >= BLOCKS)
        return NULL;
    uint32_t number = ++a->count;
    struct block *b = &a->block[number];
    b->start = start;
    b->capacity = capacity;
    heap.carved += top - a->top;
    a->top = top;
    *(volatile uint64_t *)(start - HEADER) = number;
    return b;
}

static void make_live(struct heap_arena *a, struct block *b, size_t size)
{
    zero(a, b->start, b->start + ((size + 15) & ~15ul));
    if (a->dirty < a->top)
        a->dirty = a->top;
    b->size = size;
    b->state = BLOCK_LIVE;
    heap_mark_live(b);
}

/* The same memory is another block. */
static void renew(struct heap_arena *a, struct block *b, size_t size)
{
    mark_not_addressable(b);
    race_forget(b->start, b->capacity);
    benign_forget(b->start, b->capacity);
    if (RT_UNLIKELY(sym != NULL))
        raddle_sym_clear(b->start, b->capacity);
    make_live(a, b, size);
}

struct block *heap_take(struct heap_arena *a, size_t size, size_t alignment)
{
    size_t capacity;
    if (size > HEAP_ARENA) {
        finding_limit(LIMIT_ARENA, HEAP_ARENA >> 20);
        return NULL;
    }
    unsigned class = class_of(size, &capacity);
    uint32_t spare = alignment <= 16 ? a->spare[class] : 0;
    struct block *b;
    if (spare) {
        b = &a->block[spare];
        a->spare[class] = b->next;
        renew(a, b, size);
        if (a != &heap.arena[HEAP_BEFORE])
            finding_limit(LIMIT_QUARANTINE, heap.quarantine >> 10);
        return b;
    }
    if (!(b = cut(a, capacity, alignment)))
        return NULL;
    make_live(a, b, size);
    return b;
}

struct block *heap_freed_last(int thread, size_t size, size_t alignment)
{
    size_t capacity;
    if (size > HEAP_ARENA || alignment > 16)
        return NULL;
    return heap.arena[thread].freed[class_of(size, &capacity)];
}

struct block *heap_take_again(int thread, struct block *b, size_t size)
{
    size_t capacity;
    heap.arena[thread].freed[class_of(size, &capacity)] = b->below;
    renew(heap_arena_of(b->start), b, size);
    return b;
}

static void keep_freed(struct heap_arena *a, struct block *b)
{
    size_t capacity;
    struct block **last = &a->freed[class_of(b->capacity, &capacity)];
    b->below = *last;
    *last = b;
    a->spares = true;
}

static void make_spare(struct heap_arena *a, struct block *b)
{
    size_t capacity;
    unsigned class = class_of(b->capacity, &capacity);
    b->next = a->spare[class];
    a->spare[class] = (uint32_t)(b - a->block);
    a->spares = true;
}

static void quarantine(struct heap_arena *a, struct block *b)
{
    uint32_t number = (uint32_t)(b - a->block);
    b->next = 0;
    if (a->newest)
        a->block[a->newest].next = number;
    else
        a->oldest = number;
    a->newest = number;
    a->quarantined += b->capacity;
    while (a->quarantined > heap.quarantine) {
        struct block *old = &a->block[a->oldest];
        a->quarantined -= old->capacity;
        a->oldest = old->next;
        if (!a->oldest)
            a->newest = 0;
        make_spare(a, old);
    }
}

void heap_give(struct heap_arena *a, struct block *b, bool reusable)
{
    b->state = BLOCK_FREED;
    fill(heap_shadow(b->start), HEAP_FREED, (b->size + 7) / 8);
    if (RT_UNLIKELY(heap.reuse) && a != &heap.arena[HEAP_BEFORE]) {
        keep_freed(&heap.arena[rt.current], b);
        tset_add(&heap.used, rt.current);
        return;
    }
    if (reusable)
        quarantine(a, b);
}

bool heap_fits(const struct block *b, size_t size)
{
    return b->capacity >= LARGE && size <= b->capacity && size >= b->capacity / 2;
}

void heap_stretch(struct block *b, size_t size)
{
    mark_not_addressable(b);
    if (size > b->size)
        rt_fill((void *)(b->start + b->size), 0, size - b->size);
    b->size = size;
    heap_mark_live(b);
}

/* ---- finding ---------------------------------------------------------------------------------- */

struct block *heap_block_near(uintptr_t address)
{
    struct heap_arena *a = heap_arena_of(address);
    uint32_t low = 1, high = a->count + 1; /* the first that starts behind it lies in [low, high] */
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (a->block[mid].start <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 1 ? &a->block[low - 1] : NULL;
}

struct block *heap_block_at(uintptr_t start)
{
    struct heap_arena *a = heap_arena_of(start);
    if (start % 16 || start < a->base + FIRST + HEADER || start >= a->top)
        return NULL;
    uint64_t number = *(uint64_t *)(start - HEADER);
    if (RT_LIKELY(number && number <= a->count && a->block[number].start == start))
        return &a->block[number];
    struct block *b = heap_block_near(start); /* the header was overwritten */
    return b && b->start == start ? b : NULL;
}

/* ---- between executions ----------------------------------------------------------------------- */

static void give_back(uintptr_t from, uintptr_t to)
{
    from = (from + 4095) & ~4095ul;
    if (from < to)
        rt_advise((void *)from, to - from, MADV_DONTNEED);
}

static void clear_shadow(uintptr_t from, uintptr_t to)
{
    uintptr_t keep = from + KEEP;
    rt_fill(heap_shadow(from), 0, ((to < keep ? to : keep) - from + 7) / 8);
    if (to > keep) {
        uintptr_t s = (uintptr_t)heap_shadow(keep), page = (s + 4095) & ~4095ul;
        rt_fill((void *)s, 0, page - s);
        give_back(page, (uintptr_t)heap_shadow(to) + 1);
    }
}

static void reset_arena(struct heap_arena *a)
{
    clear_shadow(a->base, a->top);
    if (a->dirty > a->base + KEEP) {
        give_back(a->base + KEEP, a->dirty);
        a->dirty = a->base + KEEP;
    }
    if (a->spares) {
        rt_fill(a->spare, 0, sizeof a->spare);
        rt_fill(a->freed, 0, sizeof a->freed);
    }
    a->top = a->base + FIRST;
    a->count = a->oldest = a->newest = 0;
    a->quarantined = 0;
    a->spares = false;
}

bool heap_shape(int thread, uint64_t out[2])
{
    const struct heap_arena *a = &heap.arena[thread];
    out[0] = a->top;
    out[1] = a->count;
    return !a->spares;
}

void heap_reset(void)
{
    if (!tset_empty(&heap.used)) {
        TSET_FOR(t, &heap.used)
            reset_arena(&heap.arena[t]);
        heap.used = (struct tset){{0}};
    }
    struct heap_arena *before = &heap.arena[HEAP_BEFORE];
    while (heap.undo) {
        struct block *b = &before->block[heap.undo];
        heap.undo = b->next;
        b->state = BLOCK_LIVE;
        heap_mark_live(b);
    }
    heap.carved = heap.allocs = heap.frees = 0;
    heap.reuse = rt.shared->config.reuse;
    heap.quarantine = rt.shared->config.quarantine;
}

/* What was freed before main is not used again: it lies in the memory that is put back. */
void heap_freeze(void)
{
    struct heap_arena *before = &heap.arena[HEAP_BEFORE];
    rt_fill(before->spare, 0, sizeof before->spare);
    before->oldest = before->newest = 0;
    before->quarantined = 0;
    heap.frozen = true;
    heap.frozen_top = before->top;
}

void heap_persistent(bool on)
{
    heap.persistent = on;
}

void heap_init_range(char **start, size_t *size)
{
    const struct heap_arena *before = &heap.arena[HEAP_BEFORE];
    *start = (char *)before->base;
    *size = (heap.frozen ? heap.frozen_top : before->top) - before->base;
}

bool heap_each(uint64_t most, bool (*with)(uintptr_t start, size_t size))
{
    bool good = true;
    if (heap.carved > most) {
        capture_hidden("what code that raddle does not see may change in a heap of more than 16 MiB");
        return true;
    }
    TSET_FOR(t, &heap.used) {
        const struct heap_arena *a = &heap.arena[t];
        for (uint32_t i = 1; i <= a->count && good; i++)
            if (a->block[i].state == BLOCK_LIVE)
                good = with(a->block[i].start, a->block[i].size);
    }
    return good;
}

size_t heap_range(int thread, char **start)
{
    const struct heap_arena *a = &heap.arena[thread];
    *start = (char *)a->base;
    return a->top - a->base;
}
