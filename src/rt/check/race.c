/* The data race check: exact happens-before on every byte, after FastTrack (Flanagan, Freund 2009).
 *
 * The memory of the program is shadowed by one cell of 64 bytes for every 8 bytes (a granule),
 * found through a page table with a small direct-mapped cache. A cell holds records of accesses:
 * thread, moment of that thread (epoch), kind, bytes touched, pc. A new access is held against the
 * records that share bytes with it:
 *   unordered by the vector clocks and in conflict → a race, the record stays;
 *   ordered before the new access, and in conflict only with what the new access is in conflict
 *   with too → its bytes are taken from it (whoever races with the old one later, races with the new
 *   one), and without bytes it goes.
 * So a cell holds one record for memory used by one thread, a record per reader where it is shared,
 * and mixed sizes need no splitting. Three records lie in the cell, the rest in a list (race_list.h).
 * An access that has a record already (same thread, epoch, kind, pc) changes nothing, since each of
 * the two records of a pair was held against the other when the later one came: the fast path.
 *
 * Memory that is used by atomic operations only (most atomics) needs no records at all: its cell is
 * marked, and the last operations of each thread are noted in the synchronization object. The first
 * plain access turns these notes into records.
 *
 * Cells of an earlier execution (generation) count as empty, so a new execution costs nothing.
 * Cost: 2 ns for a repeated access, 3–6 ns otherwise (tests/unit/test_rt_race.c measures it). */
#include "rt/check/race.h"

#include "base/htable.h"
#include "rt/check/finding.h"
#include "rt/check/stack.h"
#include "rt/core/await_reads.h"
#include "rt/core/orbit.h"
#include "rt/core/sync.h"

#include <sys/mman.h>

#define GRANULE 8
#define PAGE_SHIFT 12
#define PAGE_CELLS ((1u << PAGE_SHIFT) / GRANULE)
#ifndef PAGES
#define PAGES (1u << 16) /* 256 MiB of the program's memory; 2 GiB of shadow */
#endif
#define TABLE (2 * PAGES)
#define TLB 256 /* by the upper 8 bits of a hash */
#ifndef NODES
#define NODES (4u << 20)
#endif
#define INLINE 3

/* A record: epoch << 32 | thread << 16 | kind << 8 | bytes. */
#define BYTES 0xffull
#define IDENTITY (~BYTES)

struct cell {
    uint32_t generation;
    uint8_t count, last; /* records here; the most recent one */
    uint8_t atomic;      /* bytes of which accesses are noted in synchronization objects */
    uint8_t listed;      /* records that went to the list since it was last gone through, or less */
    uint32_t more;       /* first node of the list of further records, 0 = none */
    uint32_t crowd;      /* plain reads of many threads, 0 = none (race_list.h) */
    uint64_t record[INLINE];
    uintptr_t pc[INLINE];
} __attribute__((aligned(64)));

struct race_node {
    uint64_t record;
    uintptr_t pc;
    uint32_t next;
};

#ifndef CROWDS
#define CROWDS 4096u /* cells that many threads read */
#endif
struct race_crowd {
    struct tset threads; /* that have records here */
    uint32_t first[EVENT_MAX_THREADS]; /* of the list of a thread */
};

struct page_entry {
    uintptr_t number; /* of the page + 1; 0 = free */
    struct cell *cells;
};

struct race_state {
    uint32_t generation;
    uint32_t nodes, free_nodes;
    bool full, said;
    struct page_entry tlb[TLB];
    struct htable pages; /* which of the pages of cells, by the number of the page + 1 */
    struct cell *cells;     /* [PAGES * PAGE_CELLS] */
    struct race_node *node; /* [NODES]; 0 is not used */
    uint32_t crowds;
    struct race_crowd *crowd; /* [CROWDS]; 0 is not used */
};

static struct race_state race;

struct access { /* under way */
    uint64_t record;
    uint64_t merged; /* bytes of the same access made before, to be kept in one record */
    uintptr_t pc, granule;
    const struct vclock *clock;
    bool crowded;
    bool asks, found; /* race_would */
};

/* By kind (RACE_WRITE | RACE_ATOMIC), one bit for each kind: what it is in conflict with, and whose
 * conflicts are all conflicts of it too. */
static const uint8_t conflicts[4] = {0xa, 0xf, 0x2, 0x3};
static const uint8_t covers[4] = {0x5, 0xf, 0x4, 0xc};

static inline unsigned kind_of(uint64_t record)
{
    return record >> 8 & 3;
}

static inline unsigned thread_of(uint64_t record)
{
    return record >> 16 & 0xffff;
}

/* The bytes [from, to) of one granule, as bits. */
static inline uint64_t byte_mask(unsigned from, unsigned to)
{
    return (BYTES >> (8 - (to - from))) << from;
}

void race_init(void)
{
    if (race.cells)
        return;
    htable_init_in(&race.pages,
                   rt_map(NULL, TABLE * sizeof *race.pages.entries, "race check: page table"), TABLE);
    race.cells = rt_map(NULL, (size_t)PAGES * PAGE_CELLS * sizeof *race.cells, "race check: cells");
    /* Programs that touch much memory: fewer and larger page faults. */
    rt_advise((char *)race.cells + (8 << 20), (size_t)PAGES * PAGE_CELLS * sizeof *race.cells - (8 << 20),
            MADV_HUGEPAGE);
    race.node = rt_map(NULL, NODES * sizeof *race.node, "race check: records");
    race.crowd = rt_map(NULL, CROWDS * sizeof *race.crowd, "race check: reads");
}

size_t race_range(char **start)
{
    *start = (char *)race.cells;
    return (size_t)race.pages.count * PAGE_CELLS * sizeof *race.cells;
}

/* The number of executions wraps around after 2^32; then old cells would look like new ones. */
static __attribute__((noinline)) void new_generation(void)
{
    char *start;
    race_init();
    if (race.full || rt.generation < race.generation) {
        size_t size = race_range(&start);
        rt_advise(start, size, MADV_DONTNEED);
        rt_fill(race.tlb, 0, sizeof race.tlb);
        htable_clear(&race.pages);
        race.full = false;
    }
    race.generation = rt.generation;
    race.nodes = race.crowds = 1;
    race.free_nodes = 0;
    race.said = false;
}

static void say_full(uint64_t room)
{
    if (!race.said)
        finding_limit(LIMIT_RACE_MEMORY, room);
    race.said = true;
}

/* ---- pages ------------------------------------------------------------------------------------ */

static inline struct page_entry *tlb_slot(uintptr_t number)
{
    return &race.tlb[htable_hash(number) >> 24];
}

static struct cell *cells_of(const struct htable_entry *e)
{
    return race.cells + (size_t)e->value * PAGE_CELLS;
}

static __attribute__((noinline)) struct cell *page_slow(uintptr_t number)
{
    struct htable_entry *e = htable_find(&race.pages, number);
    if (!htable_has(&race.pages, e) && !htable_put(&race.pages, e, number, race.pages.count)) {
        race.full = true;
        say_full(PAGES);
        return NULL;
    }
    *tlb_slot(number) = (struct page_entry){number, cells_of(e)};
    return cells_of(e);
}

static inline struct cell *page_of(uintptr_t address)
{
    uintptr_t number = (address >> PAGE_SHIFT) + 1;
    const struct page_entry *e = tlb_slot(number);
    return RT_LIKELY(e->number == number) ? e->cells : page_slow(number);
}

/* ---- one cell --------------------------------------------------------------------------------- */

static __attribute__((noinline)) void report(const struct access *a, uint64_t old, uintptr_t old_pc)
{
    uint32_t both = (uint32_t)(old & a->record & BYTES);
    finding_race(a->granule + (uint32_t)__builtin_ctz(both), (uint32_t)__builtin_popcount(both),
                 a->pc, kind_of(a->record) & RACE_WRITE, (int)thread_of(old), old_pc,
                 kind_of(old) & RACE_WRITE);
}

/* Holds an earlier record against the access; returns what is left of it. Two pcs of one epoch are
 * both kept while there is room, so that one execution shows as many racy places as possible. */
static inline uint64_t confront(struct access *a, uint64_t old, uintptr_t old_pc)
{
    bool same_epoch = !((old ^ a->record) & IDENTITY & ~0xff00ull);
    if (same_epoch && old_pc == a->pc && kind_of(old) == kind_of(a->record)) {
        a->merged |= old & BYTES;
        return 0;
    }
    uint64_t both = old & a->record & BYTES;
    if (!both)
        return old;
    unsigned t = thread_of(old);
    if (t < a->clock->n && (uint32_t)(old >> 32) <= a->clock->c[t]) {
        orbit_touches((int)t);
        if (!(covers[kind_of(a->record)] >> kind_of(old) & 1) || (same_epoch && !a->crowded))
            return old;
        return old & ~both;
    }
    if (conflicts[kind_of(a->record)] >> kind_of(old) & 1)
        report(a, old, old_pc);
    return old;
}

static inline bool recorded(uint64_t old, uintptr_t old_pc, uint64_t record, uintptr_t pc)
{
    return !((old ^ record) & IDENTITY) && !(record & ~old) && old_pc == pc;
}

#include "rt/check/race_list.h"
#include "rt/check/race_atomic.h"

/* The usual next access: by the only thread that uses the cell, in a later epoch. A record that it does
 * not cover (it reads what it wrote) stays beside it. */
static inline bool follows_the_only(struct cell *c, uint64_t record, uintptr_t pc)
{
    uint64_t old = c->record[0];
    if (c->count != 1 || c->more | c->crowd || thread_of(old) != thread_of(record) ||
        !((old ^ record) >> 32))
        return false;
    bool covered = covers[kind_of(record)] >> kind_of(old) & 1;
    if (covered && old & ~record & BYTES)
        return false;
    c->last = !covered;
    c->count += !covered;
    c->record[c->last] = record;
    c->pc[c->last] = pc;
    return true;
}

static __attribute__((noinline)) void cell_meet(struct cell *c, uint64_t record, uintptr_t pc,
                                                uintptr_t granule)
{
    struct access access = {.record = record,
                            .pc = pc,
                            .granule = granule,
                            .clock = &rt.self->clock,
                            .crowded = c->count == INLINE};
    struct access *a = &access;
    if (recorded_anywhere(c, a))
        return;
    unsigned kept = 0;
    for (unsigned i = 0; i < c->count; i++) {
        uint64_t left = confront(a, c->record[i], c->pc[i]);
        if (left & BYTES) {
            c->record[kept] = left;
            c->pc[kept++] = c->pc[i];
        }
    }
    if (RT_UNLIKELY(c->more | c->crowd))
        confront_list(c, a);
    unsigned at = kept < INLINE ? kept++ : make_room(c);
    c->record[at] = a->record | a->merged;
    c->pc[at] = a->pc;
    c->last = (uint8_t)at;
    c->count = (uint8_t)kept;
}

static __attribute__((noinline)) void cell_claimed(struct cell *c, uint64_t record, uintptr_t pc,
                                                   uintptr_t granule)
{
    unclaim(c, granule);
    if (!follows_the_only(c, record, pc))
        cell_meet(c, record, pc, granule);
}

static inline void cell_update(struct cell *c, uint64_t record, uintptr_t pc, uintptr_t granule)
{
    if (RT_UNLIKELY(c->atomic & record))
        cell_claimed(c, record, pc, granule);
    else if (!follows_the_only(c, record, pc))
        cell_meet(c, record, pc, granule);
}

static inline void cell_begin(struct cell *c, uint64_t record, uintptr_t pc)
{
    c->generation = race.generation;
    c->count = 1;
    c->last = c->atomic = c->listed = 0;
    c->more = c->crowd = 0;
    c->record[0] = record;
    c->pc[0] = pc;
}

/* Seen at least once in an epoch, since its record is a new one then. */
static __attribute__((noinline)) void stack_access(struct cell *c, uint64_t record, uintptr_t pc,
                                                   uintptr_t granule)
{
    stack_used(granule + (unsigned)__builtin_ctzl(record & BYTES), kind_of(record) & RACE_WRITE, pc);
    if (c->generation != race.generation)
        cell_begin(c, record, pc);
    else
        cell_update(c, record, pc, granule);
}

static inline void cell_access(struct cell *c, uint64_t record, uintptr_t pc, uintptr_t granule)
{
    bool begun = c->generation == race.generation;
    if (begun && recorded(c->record[c->last], c->pc[c->last], record, pc))
        return;
    if (RT_UNLIKELY(stack_of_thread(granule)))
        stack_access(c, record, pc, granule);
    else if (begun)
        cell_update(c, record, pc, granule);
    else
        cell_begin(c, record, pc);
}

/* ---- the seam --------------------------------------------------------------------------------- */

static __attribute__((noinline)) void access_span(uintptr_t address, size_t size, uint64_t identity,
                                                  uintptr_t pc)
{
    uintptr_t end = address + size;
    while (address < end) {
        uintptr_t page_end = (address | ((1u << PAGE_SHIFT) - 1)) + 1;
        uintptr_t stop = end < page_end ? end : page_end;
        struct cell *page = page_of(address);
        for (uintptr_t g = address & ~7ul; page && g < stop; g += GRANULE) {
            unsigned from = address > g ? (unsigned)(address - g) : 0;
            unsigned to = stop - g < GRANULE ? (unsigned)(stop - g) : GRANULE;
            cell_access(&page[g / GRANULE % PAGE_CELLS], identity | byte_mask(from, to), pc, g);
        }
        address = stop;
    }
}

static __attribute__((noinline)) void access_anew(uintptr_t address, size_t size, uintptr_t pc, int flags)
{
    new_generation();
    race_access(address, size, pc, flags);
}

/* Everything rare leaves by a tail call, so that the usual case needs no stack frame. */
void race_access(uintptr_t address, size_t size, uintptr_t pc, int flags)
{
    if (RT_UNLIKELY(race.generation != rt.generation)) {
        access_anew(address, size, pc, flags);
        return;
    }
    unsigned me = (unsigned)rt.current, offset = address & 7;
    uint64_t identity =
        (uint64_t)rt.self->clock.c[me] << 32 | me << 16 | (unsigned)(flags & 3) << 8;
    uintptr_t number = (address >> PAGE_SHIFT) + 1;
    const struct page_entry *e = tlb_slot(number);
    if (RT_UNLIKELY(size - 1 > 7 - offset || e->number != number)) {
        access_span(address, size, identity, pc);
        return;
    }
    cell_access(&e->cells[address / GRANULE % PAGE_CELLS],
                identity | byte_mask(offset, offset + (unsigned)size), pc, address & ~7ul);
}

/* Calls visit for every cell of the range that holds records of this execution, with the bytes. */
static void visit_cells(uintptr_t address, size_t size, struct access *a,
                        void (*visit)(struct cell *, struct access *))
{
    if (race.generation != rt.generation)
        return; /* nothing was accessed yet */
    for (uintptr_t end = address + size; address < end;) {
        uintptr_t page_end = (address | ((1u << PAGE_SHIFT) - 1)) + 1;
        uintptr_t stop = end < page_end ? end : page_end;
        const struct htable_entry *e = htable_find(&race.pages, (address >> PAGE_SHIFT) + 1);
        struct cell *page = htable_has(&race.pages, e) ? cells_of(e) : NULL;
        for (a->granule = address & ~7ul; page && a->granule < stop; a->granule += GRANULE) {
            struct cell *c = &page[a->granule / GRANULE % PAGE_CELLS];
            unsigned from = address > a->granule ? (unsigned)(address - a->granule) : 0;
            unsigned to = stop - a->granule < GRANULE ? (unsigned)(stop - a->granule) : GRANULE;
            if (c->generation != race.generation)
                continue;
            if (c->atomic)
                unclaim(c, a->granule);
            a->record = (a->record & IDENTITY) | byte_mask(from, to);
            visit(c, a);
        }
        address = stop;
    }
}

static inline void compare(struct access *a, uint64_t old, uintptr_t old_pc)
{
    unsigned t = thread_of(old);
    bool ordered = t < a->clock->n && (uint32_t)(old >> 32) <= a->clock->c[t];
    bool conflict = (old & a->record & BYTES) && conflicts[kind_of(a->record)] >> kind_of(old) & 1;
    if (!ordered && conflict && a->asks)
        a->found = true;
    else if (!ordered && conflict)
        report(a, old, old_pc);
}

static void node_end(struct race_node *n, struct access *a)
{
    compare(a, n->record, n->pc);
}

static void cell_end(struct cell *c, struct access *a)
{
    for (unsigned i = 0; i < c->count; i++)
        compare(a, c->record[i], c->pc[i]);
    visit_list(c, a, node_end);
}

void race_compare(uintptr_t address, size_t size, uintptr_t pc, int flags)
{
    struct access a = {.record = (uint64_t)flags << 8, .pc = pc, .clock = &rt.self->clock};
    if (RT_UNLIKELY(rt.guards))
        await_reads_ended(address, size);
    visit_cells(address, size, &a, cell_end);
}

bool race_would(uintptr_t address, size_t size, int flags, const struct vclock *clock)
{
    struct access a = {.record = (uint64_t)flags << 8, .clock = clock, .asks = true};
    visit_cells(address, size, &a, cell_end);
    return a.found;
}

#include "rt/check/race_left.h"

void race_end_of_life(uintptr_t address, size_t size, uintptr_t pc)
{
    race_compare(address, size, pc, RACE_WRITE);
}

static void node_forget(struct race_node *n, struct access *a)
{
    n->record &= ~(a->record & BYTES);
}

static void cell_forget(struct cell *c, struct access *a)
{
    uint64_t bytes = a->record & BYTES;
    if (bytes == BYTES) {
        c->generation = 0;
        return;
    }
    for (unsigned i = 0; i < c->count; i++)
        c->record[i] &= ~bytes;
    visit_list(c, a, node_forget);
}

void race_forget(uintptr_t address, size_t size)
{
    struct access a = {0};
    visit_cells(address, size, &a, cell_forget);
}
