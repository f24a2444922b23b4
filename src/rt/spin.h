/* Spin loops: a thread that comes back to the same read in exactly the same state, having changed
 * nothing in between, counts as blocked until something it read is written. */
#ifndef RT_SPIN_H
#define RT_SPIN_H

#include "rt/rt.h"

/* Bytes of the stack, from the innermost frame on, that are compared to tell whether a thread is in
 * the same state again. */
#define SPIN_STACK (64u << 10)
#define SPIN_WIDEST 16 /* bytes of a visible read */

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

/* After a visible operation of the current thread, before it is appended to the trace. */
void spin_performed_slow(const struct event *op);
static inline void spin_clear(struct thread *t)
{
    t->ring_count = 0;
    t->spin_pc = 0;
}
static inline void spin_performed(const struct event *op)
{
    enum event_class c = event_class(op->kind);
    bool same = op->kind == EV_RMW && op->value == op->other && op->size <= 8;
    if (c == CLASS_READ || (op->flags & EVENT_FAILED) || same) {
        spin_performed_slow(op);
        return;
    }
    spin_clear(rt.self);
    if (RT_UNLIKELY(rt.suspects) && c != CLASS_ACQUIRE)
        sched_wake_spinners(op->object, op->size ? op->size : 1, rt.trace->event_count + 1);
}

/* Another thread has written there, in the trace as `event` - 1; is it something the loop reads? */
#define SPIN_UNSEEN UINT32_MAX /* a write that is not in the trace */
bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size, uint32_t event);

/* A thread that has made very many plain accesses without a visible operation: if it spins on plain
 * memory, its read becomes a scheduling point and the search begins again. */
void spin_plain_streak(uintptr_t pc);
#define SPIN_PLAIN_STREAK 20000u

#endif
