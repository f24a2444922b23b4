/* A set of threads. Almost all programs have at most 64 threads, so every operation first looks at
 * one word; `words` of the whole execution says how many are in use. */
#ifndef TRACE_TSET_H
#define TRACE_TSET_H

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

/* The k-th member (from 0); k < tset_count. */
static inline int tset_nth(const struct tset *s, int k)
{
    int t = tset_first(s);
    while (k-- > 0)
        t = tset_next(s, t + 1);
    return t;
}

#define TSET_FOR(t, s) for (int t = tset_first(s); t >= 0; t = t < 255 ? tset_next(s, t + 1) : -1)

#endif
