/* The vector clock: a row of counters, one per thread, the last moment of each that is known. Engines
 * keep rows of 16 bits for events, threads and objects; the race check, which counts more moments, rows
 * of 32 bits (rt/core/vclock.h). Rows are short, and so is their code: blocks of 16 bytes, no calls.
 * Counters are signed, for which there is a comparison. A row is aligned to 16 bytes and has room for the
 * rest of its last block. */
#ifndef BASE_VCLOCK_H
#define BASE_VCLOCK_H

#include <stdint.h>

typedef int16_t vtime;
enum { VTIME_MAX = 32000 }; /* moments of a thread */

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
        for (uint32_t i = 0; i < n; i += row##_STEP) {                                             \
            row##_block x = *(row##_block *)&to[i], y = *(const row##_block *)&from[i];            \
            *(row##_block *)&to[i] = (x & (x > y)) | (y & ~(x > y));                               \
        }                                                                                          \
    }

VCLOCK_ROWS(vrow, vtime)
VCLOCK_ROWS(vrow32, int32_t)

#endif
