/* Spin loops: a thread that comes back to the same read in exactly the same state, having changed
 * nothing in between, counts as blocked until something it read is written. */
#ifndef RT_SPIN_H
#define RT_SPIN_H

#include "rt/rt.h"

/* Bytes of the stack, from the innermost frame on, that are compared to tell whether a thread is in
 * the same state again. */
#define SPIN_STACK (64u << 10)

/* Does a plain write change anything beyond that? gcc instruments locals whose address is taken, the
 * temporaries of stdatomic.h among them. */
bool spin_is_far(uintptr_t address);
static inline bool spin_is_change(uintptr_t address)
{
    return address - (uintptr_t)rt.self->stack >= rt.self->stack_size || spin_is_far(address);
}

/* Before a read-like operation is announced: marks it EVENT_SPINNING if the thread spins. `value` is
 * what the read would give now. */
void spin_before_read(struct event *op, uint64_t value);

/* After a visible operation of the current thread. */
void spin_performed_slow(const struct event *op);
static inline void spin_clear(struct thread *t)
{
    t->ring_count = 0;
    t->spin_pc = 0;
}
static inline void spin_performed(const struct event *op)
{
    enum event_class c = event_class(op->kind);
    if (c == CLASS_READ || (op->flags & EVENT_FAILED)) {
        spin_performed_slow(op);
        return;
    }
    spin_clear(rt.self);
    if (RT_UNLIKELY(rt.spinners) && c != CLASS_ACQUIRE)
        sched_wake_spinners(op->object, op->size ? op->size : 1);
}

bool spin_reads(const struct thread *t, uint64_t object, uint32_t size);

/* A thread that has made very many plain accesses without a visible operation: if it spins on plain
 * memory, its read becomes a scheduling point and the search begins again. */
void spin_plain_streak(uintptr_t pc);
#define SPIN_PLAIN_STREAK 20000u

#endif
