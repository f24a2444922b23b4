/* The hash table: from keys of 64 bits to numbers, mostly places in an array of the owner's. Open addressing,
 * at most half full. All entries are forgotten at once (htable_clear) by counting the runs they were made in.
 * It lies in an arena, where it doubles when it is half full (the old one stays there), or in memory of the
 * owner's, where it does not. A thing that has more than 64 bits is kept under a hash of it: the owner
 * compares, and goes on with htable_another.
 *
 * Tables of their own, with the reason there: explore/keyset.h, places.h, share/acts.h, match/ (model.h,
 * walk.h); the facts of rt/core/await.c, several to a key, in memory that processes share. rt/code/live.c
 * (which gives up after eight places) and solve/solver.h (the two newest answers of a place) are caches. */
#ifndef BASE_HTABLE_H
#define BASE_HTABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct htable_entry {
    uint64_t key;
    uint32_t value;
    uint32_t run; /* in which it was made */
};

struct htable {
    struct htable_entry *entries;
    uint32_t mask; /* their number - 1, which is a power of two */
    uint32_t count;
    uint32_t run;
    struct arena *arena; /* where it grows; NULL: it does not */
};

/* `room`: a power of two. -1 if the arena is too small. */
int htable_init(struct htable *t, struct arena *a, uint32_t room);
/* `entries` are zero. */
void htable_init_in(struct htable *t, struct htable_entry *entries, uint32_t room);

static inline void htable_clear(struct htable *t)
{
    t->run++;
    t->count = 0;
}

static inline uint32_t htable_hash(uint64_t key)
{
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
}

static inline bool htable_has(const struct htable *t, const struct htable_entry *e)
{
    return e->run == t->run;
}

/* With the owner's hash, for tables that do not grow. */
static inline struct htable_entry *htable_find_at(const struct htable *t, uint32_t hash, uint64_t key)
{
    uint32_t i = hash & t->mask;
    while (t->entries[i].key != key && htable_has(t, &t->entries[i]))
        i = (i + 1) & t->mask;
    return &t->entries[i];
}

/* Its entry, or the free one (not htable_has) where it belongs. */
static inline struct htable_entry *htable_find(const struct htable *t, uint64_t key)
{
    return htable_find_at(t, htable_hash(key), key);
}

/* e has the key: the next one that has it, or a free one. */
struct htable_entry *htable_another(const struct htable *t, const struct htable_entry *e);

/* The free entry becomes that of a key. False: there is no room (any more), and it is not kept. No entry is
 * where it was before. */
bool htable_put(struct htable *t, struct htable_entry *free, uint64_t key, uint32_t value);

#endif
