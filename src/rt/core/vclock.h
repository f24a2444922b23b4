/* Vector clocks of the race check. */
#ifndef RT_VCLOCK_H
#define RT_VCLOCK_H

#include "base/vclock.h"
#include "trace/event.h"

#pragma GCC visibility push(hidden)

/* c[t] = the last moment of thread t that is known, less than 2^31. Entries from n on are zero and need not
 * be stored; those of the last block that n reaches into are. */
struct vclock {
    uint32_t c[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint32_t n;
};

static inline int32_t *vclock_row(const struct vclock *a)
{
    return (int32_t *)a->c;
}

/* Makes room for entries below n. */
static inline void vclock_extend(struct vclock *a, uint32_t n)
{
    uint32_t stored = (a->n + vrow32_STEP - 1) / vrow32_STEP * vrow32_STEP;
    if (stored < n)
        vrow32_clear(vclock_row(a) + stored, n - stored);
    a->n = a->n > n ? a->n : n;
}

static inline void vclock_join(struct vclock *a, const struct vclock *b)
{
    vclock_extend(a, b->n);
    vrow32_join(vclock_row(a), vclock_row(b), b->n);
}

static inline void vclock_copy(struct vclock *a, const struct vclock *b)
{
    a->n = b->n;
    vrow32_copy(vclock_row(a), vclock_row(b), b->n);
}

#pragma GCC visibility pop

#endif
