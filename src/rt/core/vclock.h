/* Vector clocks of the race check. */
#ifndef RT_VCLOCK_H
#define RT_VCLOCK_H

#include "trace/event.h"

#pragma GCC visibility push(hidden)

/* Happens-before clocks for the race check: c[t] = the last moment of thread t that is known.
 * Entries from n on are zero and need not be stored; those of the last block that n reaches into are. */
#define VCLOCK_BLOCK 4u
struct vclock {
    uint32_t c[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint32_t n;
};

/* Signed, for which there is a comparison: an execution has less than 2^31 moments. */
typedef int32_t vclock_block __attribute__((vector_size(4 * VCLOCK_BLOCK), may_alias));

static inline vclock_block *vclock_at(const struct vclock *a, uint32_t i)
{
    return (vclock_block *)&a->c[i];
}

static inline uint32_t vclock_round(uint32_t n)
{
    return (n + VCLOCK_BLOCK - 1) & ~(VCLOCK_BLOCK - 1);
}

/* Makes room for entries below n. */
static inline void vclock_extend(struct vclock *a, uint32_t n)
{
    for (uint32_t i = vclock_round(a->n); i < n; i += VCLOCK_BLOCK)
        *vclock_at(a, i) = (vclock_block){0};
    a->n = a->n > n ? a->n : n;
}

static inline void vclock_join(struct vclock *a, const struct vclock *b)
{
    vclock_extend(a, b->n);
    for (uint32_t i = 0; i < b->n; i += VCLOCK_BLOCK) {
        vclock_block x = *vclock_at(a, i), y = *vclock_at(b, i);
        *vclock_at(a, i) = (x & (x > y)) | (y & ~(x > y));
    }
}

static inline void vclock_copy(struct vclock *a, const struct vclock *b)
{
    a->n = b->n;
    for (uint32_t i = 0; i < b->n; i += VCLOCK_BLOCK)
        *vclock_at(a, i) = *vclock_at(b, i);
}

#pragma GCC visibility pop

#endif
