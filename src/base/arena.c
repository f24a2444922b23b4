#include "base/arena.h"

#include "base/ensure.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE = 64 * PAGE };

void *arena_alloc(struct arena *a, size_t n)
{
    size_t at = (a->used + 63) & ~(size_t)63;
    if (n > a->size || at > a->size - n)
        return NULL;
    a->used = at + n;
    return a->base + at;
}

void arena_give_back(struct arena *a, size_t mark)
{
    ensure(a->used <= a->size);
    if (mark >= a->used)
        return;
    char *from = a->base + mark, *to = a->base + a->used;
    char *first = (char *)(((uintptr_t)from + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    char *last = (char *)((uintptr_t)to & ~(uintptr_t)(PAGE - 1));
    /* Whole pages go back to the system, where it takes them: memory of a file does, other memory
     * does not. */
    if (last < first + LARGE || syscall(SYS_madvise, first, last - first, MADV_REMOVE) < 0)
        first = last = to;
    memset(from, 0, (size_t)(first - from));
    memset(last, 0, (size_t)(to - last));
    a->used = mark;
}
