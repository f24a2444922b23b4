/* The vector clock: a row of counters, one per thread, the last moment of each that is known. Engines
 * keep rows of 16 bits for events, threads and objects; the race check, which counts more moments, rows
 * of 32 bits (rt/core/vclock.h). Rows are short, and so is their code: blocks of 16 bytes, no calls.
 * Counters are signed, as processors compare them. A row is aligned to 16 bytes and has room for the
 * rest of its last block. */
#ifndef BASE_VCLOCK_H
#define BASE_VCLOCK_H

#include <emmintrin.h>
#include <stdint.h>
#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

typedef int16_t vtime;
enum { VTIME_MAX = 32000 }; /* moments of a thread */

static inline __m128i vrow_later(__m128i x, __m128i y)
{
    return _mm_max_epi16(x, y);
}

static inline __m128i vrow32_later(__m128i x, __m128i y)
{
#ifdef __SSE4_1__
    return _mm_max_epi32(x, y);
#else
    __m128i more = _mm_cmpgt_epi32(x, y);
    return _mm_or_si128(_mm_and_si128(more, x), _mm_andnot_si128(more, y));
#endif
}

#define VCLOCK_ROWS(row, time)                                                                     \
    enum { row##_STEP = 16 / sizeof(time) };                                                       \
    typedef time row##_block __attribute__((vector_size(16), may_alias));                    \
                                                                                                   \
    static inline void row##_clear(time *to, uint32_t n)                                           \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i += row##_STEP)                                               \
            *(row##_block *)&to[i] = (row##_block){0};                                             \
    }                                                                                              \
    static inline void row##_copy(time *to, const time *from, uint32_t n)                          \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i += row##_STEP)                                               \
            *(row##_block *)&to[i] = *(const row##_block *)&from[i];                               \
    }                                                                                              \
    static inline void row##_join(time *to, const time *from, uint32_t n)                          \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i += row##_STEP)                                               \
            *(row##_block *)&to[i] = (row##_block)row##_later(                                     \
                (__m128i) * (row##_block *)&to[i], (__m128i) * (const row##_block *)&from[i]);     \
    }

VCLOCK_ROWS(vrow, vtime)
VCLOCK_ROWS(vrow32, int32_t)

#endif
