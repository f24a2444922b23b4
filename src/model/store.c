/* See store.h. An entry: parent (5 bytes), length (1 byte, or 255 and 2 more), the state. */
#include "model/store.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    CHUNK = 1 << STORE_CHUNK_BITS,
    CHUNKS_MAX = 1 << 20,
    FIRST_SLOTS = 1 << 12,
    MANY_SLOTS = 1 << 16
};

static const uint64_t PLACE = (1ull << 40) - 1;

static void *map(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        error_fatal("out of memory (asked for %zu bytes)", n);
    return p;
}

static _Atomic uint64_t *map_table(uint64_t slots)
{
    void *p = map(slots * sizeof(uint64_t));
    if (slots >= 1u << 20)
        madvise(p, slots * sizeof(uint64_t), MADV_HUGEPAGE);
    return p;
}

void store_open(struct store *st, size_t budget, int compact, int writers)
{
    uint64_t slots = writers > 1 ? MANY_SLOTS : FIRST_SLOTS;
    *st = (struct store){.mask = slots - 1, .budget = budget, .compact = compact};
    st->table = map_table(slots);
    st->slack = (uint64_t)writers * (64 + 256);
    st->chunks = map(CHUNKS_MAX * sizeof *st->chunks);
}

void store_close(struct store *st)
{
    for (int i = 0; i < st->nchunks; i++)
        free(st->chunks[i]);
    munmap(st->chunks, CHUNKS_MAX * sizeof *st->chunks);
    munmap((void *)st->table, (st->mask + 1) * sizeof *st->table);
}

void store_writer_open(struct store_writer *w, struct store *st)
{
    *w = (struct store_writer){.st = st};
}

void store_writer_flush(struct store_writer *w)
{
    atomic_fetch_add(&w->st->count, w->count);
    w->count = 0;
}

size_t store_bytes(const struct store *st)
{
    return (size_t)st->nchunks * CHUNK + (st->mask + 1) * sizeof *st->table;
}

static uint8_t *at(const struct store *st, uint64_t place)
{
    return st->chunks[place >> STORE_CHUNK_BITS] + (place & (CHUNK - 1));
}

static int new_chunk(struct store_writer *w)
{
    struct store *st = w->st;
    if (store_bytes(st) + CHUNK > st->budget || st->nchunks >= CHUNKS_MAX - 64) {
        st->full = 1;
        return -1;
    }
    uint8_t *p = malloc(CHUNK + STORE_SLACK);
    if (!p) {
        st->full = 1;
        return -1;
    }
    int n = atomic_fetch_add(&st->nchunks, 1);
    st->chunks[n] = p;
    w->at = ((uint64_t)n << STORE_CHUNK_BITS) + (n == 0);
    w->end = (uint64_t)(n + 1) << STORE_CHUNK_BITS;
    at(st, w->at)[5] = 0;
    return 0;
}

/* Bytes before the state itself. */
static int head(int len)
{
    return len < 255 ? 6 : 8;
}

/* Writes an entry without moving on; 0 if there is no room in the budget. */
static store_id write_entry(struct store_writer *w, const uint8_t *state, int len, store_id parent)
{
    uint64_t need = (uint64_t)(head(len) + len);
    if (w->at + need + 6 > w->end) {
        if (new_chunk(w))
            return 0;
    }
    uint8_t *p = at(w->st, w->at);
    memcpy(p, &parent, 5);
    p[5] = (uint8_t)(len < 255 ? len : 255);
    if (len >= 255) {
        p[6] = (uint8_t)len;
        p[7] = (uint8_t)(len >> 8);
    }
    memcpy(p + head(len), state, (size_t)len);
    return w->at;
}

const uint8_t *store_state(const struct store *st, store_id id, int *len)
{
    const uint8_t *p = at(st, id);
    int n = p[5] < 255 ? p[5] : p[6] | p[7] << 8;
    if (len)
        *len = n;
    return p + head(n);
}

store_id store_parent(const struct store *st, store_id id)
{
    store_id parent = 0;
    memcpy(&parent, at(st, id), 5);
    return parent;
}

store_id store_next(const struct store *st, store_id id)
{
    int len;
    store_state(st, id, &len);
    return id + (store_id)(head(len) + len);
}

static int same(const struct store *st, uint64_t word, const uint8_t *state, int len)
{
    int n;
    const uint8_t *p = store_state(st, word & PLACE, &n);
    return n == len && !memcmp(p, state, (size_t)len);
}

/* What is kept of a state: itself or its hash. */
static const uint8_t *kept(const struct store *st, const uint8_t *state, int *len,
                           const uint64_t *hash)
{
    if (!st->compact)
        return state;
    *len = 8;
    return (const uint8_t *)hash;
}

store_id store_put(struct store_writer *w, const uint8_t *state, int len, uint64_t hash,
                   store_id parent, int *fresh)
{
    struct store *st = w->st;
    uint64_t tag = hash >> 40 << 40, written = 0;
    state = kept(st, state, &len, &hash);
    *fresh = 0;
    for (uint64_t i = hash & st->mask;; i = (i + 1) & st->mask) {
        uint64_t word = atomic_load_explicit(&st->table[i], memory_order_acquire);
        if (word == 0) {
            if (!written && !(written = write_entry(w, state, len, parent)))
                return 0;
            if (atomic_compare_exchange_strong_explicit(&st->table[i], &word, tag | written,
                                                        memory_order_release,
                                                        memory_order_acquire)) {
                w->at = store_next(st, written);
                at(st, w->at)[5] = 0; /* the end of the chunk's entries */
                *fresh = 1;
                if (++w->count >= 64)
                    store_writer_flush(w);
                return written;
            }
        }
        if (word >> 40 << 40 == tag && same(st, word, state, len)) {
            if (written) /* another thread was faster */
                at(st, written)[5] = 0;
            return word & PLACE;
        }
    }
}

store_id store_find(const struct store *st, const uint8_t *state, int len, uint64_t hash)
{
    state = kept(st, state, &len, &hash);
    for (uint64_t i = hash & st->mask;; i = (i + 1) & st->mask) {
        uint64_t word = st->table[i];
        if (word == 0)
            return 0;
        if (word >> 40 == hash >> 40 && same(st, word, state, len))
            return word & PLACE;
    }
}

int store_crowded(const struct store *st)
{
    return st->count + st->slack > (st->mask + 1) / 4 * 3;
}

/* Puts entries that are in the chunks into a new table. A batch, so that the table's cache misses
 * overlap. */
struct refill {
    _Atomic uint64_t *table;
    uint64_t mask;
    uint64_t hashes[32], places[32];
    int n;
};

static void refill_flush(struct refill *f)
{
    for (int k = 0; k < f->n; k++) {
        uint64_t i = f->hashes[k] & f->mask;
        while (atomic_load_explicit(&f->table[i], memory_order_relaxed))
            i = (i + 1) & f->mask;
        atomic_store_explicit(&f->table[i], f->hashes[k] >> 40 << 40 | f->places[k],
                              memory_order_relaxed);
    }
    f->n = 0;
}

/* The entries of a chunk lie one after the other; a length of 0 is the end. */
static void refill_chunk(struct refill *f, const struct store *st, int chunk)
{
    uint64_t place = ((uint64_t)chunk << STORE_CHUNK_BITS) + (chunk == 0);
    uint64_t end = (uint64_t)(chunk + 1) << STORE_CHUNK_BITS;
    while (place + 6 <= end && at(st, place)[5]) {
        int len;
        const uint8_t *p = store_state(st, place, &len);
        uint64_t hash;
        if (st->compact)
            memcpy(&hash, p, 8);
        else
            hash = store_hash(p, len);
        __builtin_prefetch((void *)&f->table[hash & f->mask], 1);
        f->hashes[f->n] = hash;
        f->places[f->n++] = place;
        if (f->n == 32)
            refill_flush(f);
        place = store_next(st, place);
    }
}

void store_grow(struct store *st)
{
    uint64_t old = st->mask + 1;
    if (store_bytes(st) + old * 2 * sizeof *st->table > st->budget) {
        st->full = 1;
        return;
    }
    struct refill f = {.table = map_table(old * 2), .mask = old * 2 - 1};
    for (int i = 0; i < st->nchunks; i++)
        refill_chunk(&f, st, i);
    refill_flush(&f);
    munmap((void *)st->table, old * sizeof *st->table);
    st->table = f.table;
    st->mask = f.mask;
}
