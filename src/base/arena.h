/* A bump allocator over one region of memory that somebody else mapped. It is what code inside the
 * tested program allocates from (never malloc: that one is interposed and put back). The region is
 * sparse: room that is never touched costs nothing, so arrays are reserved at their largest size. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    char *base;
    size_t used, size;
};

/* Zeroed: the region starts as zeros, and what is given back is zeroed. Aligned to 64. NULL when full. */
void *arena_alloc(struct arena *a, size_t n);

/* What was allocated since `used` was `mark` is given back. The only way to use memory of an arena twice. */
void arena_give_back(struct arena *a, size_t mark);

#endif
