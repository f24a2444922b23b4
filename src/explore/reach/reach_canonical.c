#include "explore/reach/reach_canonical.h"

#include "base/ensure.h"
#include "trace/event.h"

#include <string.h>

static bool taken_up_to(const struct reach_seq *q, const vtime *clock, uint32_t but,
                        const uint32_t *taken)
{
    for (uint32_t t = 0; t < q->threads; t++)
        if (t != but && (uint32_t)clock[t] > taken[t])
            return false;
    return true;
}

/* A read comes after the write of its version, a write after the reads of the version it ends. */
static bool variable_ready(const struct reach_seq *q, uint32_t k, const uint32_t *taken)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->class == REACH_READ)
        return op->partner == REACH_INITIAL ||
               (taken_up_to(q, reach_call(q, op->partner), EVENT_MAX_THREADS, taken) &&
                taken_up_to(q, reach_before(q, op->partner), EVENT_MAX_THREADS, taken));
    for (uint32_t r = 0; op->class == REACH_OBJECT && r < q->count; r++) {
        const struct reach_op *read = &q->ops[r];
        if (read->class == REACH_READ && read->flags & REACH_DONE && read->object == op->object &&
            read->partner == reach_version_before(q, k) && read->thread != op->thread &&
            taken[read->thread] <= read->index)
            return false;
    }
    return true;
}

/* Is everything that operation k needs among the first taken[t] operations of each thread? */
static bool ready(const struct reach_seq *q, uint32_t k, const uint32_t *taken)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    const vtime *call = reach_call(q, op->class == REACH_RECEIVE && op->partner < q->count
                                             ? op->partner
                                             : k);
    if (taken[op->thread] != op->index)
        return false;
    return taken_up_to(q, call, op->thread, taken) &&
           taken_up_to(q, reach_before(q, k), op->thread, taken) &&
           (!q->reads || variable_ready(q, k, taken));
}

uint32_t reach_canonical(const struct reach_seq *q, uint32_t *order, uint32_t *next)
{
    uint32_t first[EVENT_MAX_THREADS], taken[EVENT_MAX_THREADS] = {0}, now[EVENT_MAX_THREADS] = {0};
    for (uint32_t t = 0; t < q->threads; t++)
        first[t] = REACH_NONE;
    for (uint32_t k = q->count; k-- > 0;)
        if (q->ops[k].flags & REACH_DONE) {
            next[k] = first[q->ops[k].thread];
            first[q->ops[k].thread] = k;
        }
    uint32_t n = 0;
    for (uint32_t before = UINT32_MAX; before != n;) {
        before = n;
        for (uint32_t t = 0; t < q->threads; t++) {
            uint32_t k = first[t];
            if (k == REACH_NONE || !ready(q, k, taken))
                continue;
            order[n++] = k;
            first[t] = next[k];
            now[t]++;
        }
        memcpy(taken, now, sizeof taken);
    }
    return n;
}
