/* The set of states reached. States lie packed one after the other in 1 MiB chunks, each with its
 * parent; an open-addressing table of 8-byte words (24 bits of hash, 40 bits of place) finds them.
 * Cost per state: its bytes + 6, plus 11 to 22 for the table.
 *
 * With hash compaction only 8 bytes of hash are kept per state: two states with the same 64-bit
 * hash are taken for one, which the caller has to announce.
 *
 * Threads insert concurrently, each through its own writer; only store_grow needs them to stand
 * still. */
#ifndef MODEL_STORE_H
#define MODEL_STORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t store_id; /* place in the chunks; 0: none */

enum { STORE_CHUNK_BITS = 20 };

struct store {
    _Atomic uint64_t *table;
    uint64_t mask;
    uint8_t **chunks;
    atomic_int nchunks;
    atomic_uint_fast64_t count;
    size_t budget;
    int compact;
    uint64_t slack;  /* states that may come between two looks at store_crowded */
    atomic_int full; /* the budget is used up */
};

struct store_writer {
    struct store *st;
    uint64_t at, end; /* the rest of the current chunk */
    uint64_t count;   /* states inserted, not yet added to st->count */
};

/* A writer may insert up to 256 states between two looks at store_crowded. */
void store_open(struct store *st, size_t budget, int compact, int writers);
void store_close(struct store *st);
void store_writer_open(struct store_writer *w, struct store *st);
void store_writer_flush(struct store_writer *w);

enum { STORE_SLACK = 16 }; /* bytes that must be readable after a state that is hashed */

static inline uint64_t store_mix(uint64_t a, uint64_t b)
{
    __uint128_t m = (__uint128_t)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t store_hash(const uint8_t *p, int len)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)len, v[2];
    for (; len >= 16; p += 16, len -= 16) {
        memcpy(v, p, 16);
        h = store_mix(v[0] ^ 0xa0761d6478bd642fu, v[1] ^ h);
    }
    memcpy(v, p, 16);
    if (len < 8) {
        v[0] = len ? v[0] << (64 - 8 * len) : 0;
        v[1] = 0;
    } else {
        v[1] = len > 8 ? v[1] << (128 - 8 * len) : 0;
    }
    h = store_mix(v[0] ^ 0xe7037ed1a0b428dbu, v[1] ^ h);
    return store_mix(h ^ 0x8ebc6af09c88c6e3u, h);
}

static inline void store_prefetch(const struct store *st, uint64_t hash)
{
    __builtin_prefetch((const void *)&st->table[hash & st->mask]);
}

/* To be called between the two: the entry that is likely to be compared. */
static inline void store_prefetch_entry(const struct store *st, uint64_t hash)
{
    uint64_t word = atomic_load_explicit(&st->table[hash & st->mask], memory_order_relaxed);
    if (word && word >> 40 == hash >> 40) {
        uint64_t place = word & ((1ull << 40) - 1);
        const uint8_t *p =
            st->chunks[place >> STORE_CHUNK_BITS] + (place & ((1u << STORE_CHUNK_BITS) - 1));
        __builtin_prefetch(p);
        __builtin_prefetch(p + 64);
    }
}

/* Finds or inserts; *fresh tells which. 0 when the budget is used up. */
store_id store_put(struct store_writer *w, const uint8_t *state, int len, uint64_t hash,
                   store_id parent, int *fresh);
store_id store_find(const struct store *st, const uint8_t *state, int len, uint64_t hash);

/* The state's bytes (compact: its hash); *len may be NULL. */
const uint8_t *store_state(const struct store *st, store_id id, int *len);
store_id store_parent(const struct store *st, store_id id);
/* The entry after this one in its chunk. */
store_id store_next(const struct store *st, store_id id);

int store_crowded(const struct store *st); /* time to grow */
void store_grow(struct store *st);         /* no writer may be at work */
size_t store_bytes(const struct store *st);

#endif
