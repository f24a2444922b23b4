/* What the files of the heap share: heap.c (malloc and its kin), heap_block.c (arenas, blocks,
 * shadow), heap_check.c (what is wrong with an access or a free). Nobody else includes this. */
#ifndef RT_HEAP_IMPL_H
#define RT_HEAP_IMPL_H

#include "rt/check/heap.h"

#define HEAP_BEFORE EVENT_MAX_THREADS /* the arena of before main and of what is persistent */
#define HEAP_ARENAS (EVENT_MAX_THREADS + 1)
#define HEAP_FREED 0x80               /* shadow of freed memory */
#define HEAP_CLASSES 241

enum block_state { BLOCK_LIVE = 1, BLOCK_FREED };

/* Everything about a block lies outside of the heap, where the program does not get at it. */
struct block {
    uintptr_t start;
    size_t size, capacity;
    uintptr_t alloc_pc, free_pc;
    uint32_t free_step, next; /* next: in the quarantine or a list of spare blocks */
    uint16_t thread, freed_by;
    uint8_t state;
    struct block *below; /* --reuse: what the same thread freed before it */
};

struct heap_arena {
    uintptr_t base, top; /* blocks lie in [base, top) */
    uintptr_t dirty;     /* from here on the memory is zero */
    struct block *block; /* [1 … count], by address */
    uint32_t count;
    uint32_t oldest, newest; /* quarantine: freed blocks, in order */
    size_t quarantined;      /* their bytes */
    bool spares;             /* some spare[] or freed[] is not empty */
    uint32_t spare[HEAP_CLASSES];
    struct block *freed[HEAP_CLASSES]; /* --reuse: by the thread of this arena, from any; last first */
};

struct heap {
    enum { HEAP_UNKNOWN, HEAP_PASSIVE, HEAP_CONTROLLED } mode;
    bool persistent, frozen;
    bool reuse;               /* --reuse */
    size_t quarantine;        /* --quarantine */
    uintptr_t frozen_top;     /* end of the memory allocated before main */
    uint32_t undo;            /* blocks of before main freed by this execution */
    uint64_t carved;          /* bytes this execution took */
    uint64_t allocs, frees;   /* of this execution */
    struct tset used;         /* arenas of threads that have blocks */
    struct heap_arena arena[HEAP_ARENAS];
};
extern struct heap heap;

static inline uint8_t *heap_shadow(uintptr_t address)
{
    return (uint8_t *)(HEAP_SHADOW + ((address - HEAP_BASE) >> 3));
}

static inline bool heap_has(uintptr_t address)
{
    return address - HEAP_BASE < HEAP_SIZE;
}

static inline struct heap_arena *heap_arena_of(uintptr_t address)
{
    return &heap.arena[(address - HEAP_BASE) / HEAP_ARENA];
}

/* heap_block.c */
struct block *heap_take(struct heap_arena *a, size_t size, size_t alignment); /* zeroed; NULL: full */
void heap_give(struct heap_arena *a, struct block *b, bool reusable);
/* --reuse: the freed block that the thread could be given again, NULL; hands it out. */
struct block *heap_freed_last(int thread, size_t size, size_t alignment);
struct block *heap_take_again(int thread, struct block *b, size_t size);
bool heap_fits(const struct block *b, size_t size); /* it can be made that large, or small, in place */
void heap_stretch(struct block *b, size_t size);
struct block *heap_block_at(uintptr_t start);   /* the block that starts there, NULL */
struct block *heap_block_near(uintptr_t address); /* the last one that starts at or before it */
void heap_mark_live(const struct block *b);

/* heap_check.c: these report and end the execution. */
void heap_bad_free(uintptr_t address, const char *what, uintptr_t pc);
void heap_double_free(const struct block *b, const char *what, uintptr_t pc);
void heap_too_much(size_t size);

#endif
