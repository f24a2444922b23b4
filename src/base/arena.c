#include "base/arena.h"

void *arena_alloc(struct arena *a, size_t n)
{
    size_t at = (a->used + 63) & ~(size_t)63;
    if (n > a->size || at > a->size - n)
        return NULL;
    a->used = at + n;
    return a->base + at;
}
