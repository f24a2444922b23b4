/* A set of 64-bit keys in an arena, up to a limit: full, it just takes no more. Open addressing; it
 * doubles when half full. Not an htable: there are millions of keys, and they are all that there is. */
#ifndef EXPLORE_KEYSET_H
#define EXPLORE_KEYSET_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct keyset {
    uint64_t *slots; /* 0 = empty */
    uint64_t room, count, limit; /* limit: of room */
    struct arena *arena;
};

/* `bytes`: what the set may use. 0, or -1 if the arena is too small. */
int keyset_init(struct keyset *s, struct arena *a, uint64_t bytes);
bool keyset_has(const struct keyset *s, uint64_t key);
/* True if it was not there; true as well if it cannot be kept. */
bool keyset_add(struct keyset *s, uint64_t key);
/* It need not be there. */
void keyset_remove(struct keyset *s, uint64_t key);
void keyset_clear(struct keyset *s);

static inline bool keyset_full(const struct keyset *s)
{
    return s->count * 2 >= s->limit;
}

#endif
