/* A set of threads. Almost all programs have at most 64 threads, so every operation first looks at
 * one word; `words` of the whole execution says how many are in use. */
#ifndef TRACE_TSET_H
#define TRACE_TSET_H

#include "base/ensure.h"
#include "trace/event.h"

#include <stdbool.h>

#define TSET_WORDS (EVENT_MAX_THREADS / 64)

struct tset {
    uint64_t w[TSET_WORDS];
};

static inline void tset_add(struct tset *s, int t)
{
    s->w[t >> 6] |= 1ull << (t & 63);
}

static inline void tset_remove(struct tset *s, int t)
{
    s->w[t >> 6] &= ~(1ull << (t & 63));
}

static inline bool tset_has(const struct tset *s, int t)
{
    return s->w[t >> 6] >> (t & 63) & 1;
}

static inline bool tset_empty(const struct tset *s)
{
    return !s->w[0] && !(s->w[1] | s->w[2] | s->w[3]);
}

static inline int tset_count(const struct tset *s)
{
    int n = __builtin_popcountll(s->w[0]);
    for (int i = 1; i < TSET_WORDS; i++)
        if (s->w[i])
            n += __builtin_popcountll(s->w[i]);
    return n;
}

/* The first member ≥ from, or -1. */
static inline int tset_next(const struct tset *s, int from)
{
    for (int i = from >> 6; i < TSET_WORDS; i++) {
        uint64_t w = s->w[i];
        if (i == from >> 6)
            w &= ~0ull << (from & 63);
        if (w)
            return i * 64 + __builtin_ctzll(w);
    }
    return -1;
}

static inline int tset_first(const struct tset *s)
{
    return s->w[0] ? __builtin_ctzll(s->w[0]) : tset_next(s, 64);
}

/* The last member < end, or -1. */
static inline int tset_before(const struct tset *s, int end)
{
    ensure(end <= EVENT_MAX_THREADS);
    for (int i = (end - 1) >> 6; i >= 0; i--) {
        uint64_t w = s->w[i];
        if (i == end >> 6)
            w &= (1ull << (end & 63)) - 1;
        if (w)
            return i * 64 + 63 - __builtin_clzll(w);
    }
    return -1;
}

/* The k-th bit (from 0) that is set in a word. Byte i of `sums` has the number of bits in bytes 0 to i. */
static inline int tset_word_nth(uint64_t w, int k)
{
    int byte = 0;
    if (k >= 4) {
        uint64_t sums = w - (w >> 1 & 0x5555555555555555u);
        sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
        sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u;
        while ((int)(sums >> byte & 0xff) <= k)
            byte += 8;
        k -= byte ? (int)(sums >> (byte - 8) & 0xff) : 0;
    }
    for (w = w >> byte; k > 0; k--)
        w &= w - 1;
    return byte + __builtin_ctzll(w);
}

/* The k-th member (from 0); k < tset_count. */
static inline int tset_nth(const struct tset *s, int k)
{
    int i = 0;
    for (int n; i + 1 < TSET_WORDS && k >= (n = __builtin_popcountll(s->w[i])); i++)
        k -= n;
    return i * 64 + tset_word_nth(s->w[i], k);
}

#define TSET_FOR(t, s) for (int t = tset_first(s); t >= 0; t = t < 255 ? tset_next(s, t + 1) : -1)

#endif
