/* Loops in which a thread waits for others. A thread that comes back to the same place in exactly the
 * same state, having changed nothing in between, counts as blocked until something it looked at on the
 * way is changed.
 *
 * Where the loop looks at one object only, the operation on it is what blocks (EVENT_SPINNING);
 * otherwise the thread performs an AWAIT first. Whether and for what a thread waits follows from what
 * it has done and seen itself, never from what the memory holds by chance when it gets there, so
 * interleavings that differ in the order of independent events only do not differ in this. */
#ifndef RT_SPIN_H
#define RT_SPIN_H

#include "rt/core/await.h"

/* Bytes of the stack, from the innermost frame on, that are compared to tell whether a thread is in
 * the same state again. */
#define SPIN_STACK (64u << 10)

/* Has it begun what may be a round that is left out? */
static inline bool spin_in_round(const struct thread *t)
{
    return rt.awaits && (t->await.count | (unsigned)t->round.at);
}

/* Does a plain write change anything beyond that? gcc instruments locals whose address is taken, the
 * temporaries of stdatomic.h among them. */
bool spin_is_far(uintptr_t address, size_t size);
static inline bool spin_is_change(uintptr_t address, size_t size)
{
    return address - (uintptr_t)rt.self->stack >= rt.self->stack_size || spin_is_far(address, size);
}

/* Everything private that decides what the running thread does next: registers, stack, and what the
 * announced operation is called with. */
uint64_t spin_state(const struct event *op);

/* Frames that are not understood (code/live.h) are compared with all that is in them, also where the
 * program has not written yet: once there was one, calls of the runtime leave zeros below the program's
 * frame, so that the same history of a thread has the same state. They return their argument, and are
 * called last, so that the caller's own frame is gone too (hooks.S). */
uint8_t spin_wiped_8(uint8_t value);
uint16_t spin_wiped_16(uint16_t value);
uint32_t spin_wiped_32(uint32_t value);
uint64_t spin_wiped_64(uint64_t value);
#define spin_wiped_128(value) (value) /* too large to wait for */
#define SPIN_WIPED(bits, value) (RT_UNLIKELY(rt.wipes) ? spin_wiped_##bits(value) : (value))

/* Before an operation that may be all that a loop does to its object is announced. */
void spin_before_repeated(struct event *op);
static inline void spin_before_look(struct event *op, bool acquires)
{
    if (RT_UNLIKELY(rt.awaits) && await_is_place(op->pc))
        await_arrive(op, acquires);
    else if (RT_UNLIKELY(rt.self->spin_pc == op->pc))
        spin_before_repeated(op);
}
static inline void spin_before_read(struct event *op)
{
    spin_before_look(op, false);
}

/* The same of a lock, in what may be a loop: has it been taken and given back too often there? */
void spin_backs_off(const struct event *op);

/* What the running thread has to wait for before the operation it announces. */
void spin_await(void);

/* After a visible operation of the current thread, before it is appended to the trace. */
static inline bool spin_only_looks(const struct event *op)
{
    return event_class(op->kind) == CLASS_READ || (op->flags & EVENT_FAILED) || op->kind == EV_LOCK ||
           (op->value == op->other && (op->kind == EV_RMW || op->kind == EV_STORE) && op->size <= 8);
}
void spin_looked(const struct event *op) __attribute__((noinline));
void spin_unlocked(const struct event *op) __attribute__((noinline));
void spin_changed(const struct event *op) __attribute__((noinline));
static inline void spin_clear(struct thread *t)
{
    t->ring_count = 0;
    t->spin_pc = 0;
    t->await.count = 0;
}
static inline void spin_performed(const struct event *op)
{
    if (RT_UNLIKELY(rt.awaits))
        await_looked(rt.self, op);
    if (spin_only_looks(op)) {
        spin_looked(op);
        return;
    }
    if (op->kind == EV_UNLOCK) {
        spin_unlocked(op);
        return;
    }
    rt.self->ring_count = 0;
    rt.self->spin_pc = 0;
    if (RT_UNLIKELY(rt.suspects))
        spin_changed(op);
}

/* A plain read that is no scheduling point, in what may be a loop. */
void spin_plain_look(uintptr_t address, uint32_t size, uintptr_t pc) __attribute__((noinline));
static inline void spin_plain_read(uintptr_t address, uint32_t size, uintptr_t pc)
{
    if (RT_UNLIKELY(rt.self->spin_pc | rt.self->await.count | (unsigned)rt.self->round.at))
        spin_plain_look(address, size, pc);
}

/* Another thread has changed something there: is it what t looked at? */
bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size, bool only_free);
/* Nobody can go on: has something that t read in its loop been changed without a scheduling point? */
bool spin_overlooked(const struct thread *t);

/* The running thread gives way at pc. */
void spin_yielded(uint64_t pc);

/* A thread that has made very many plain accesses without a visible operation: if it spins on plain
 * memory, its read becomes a scheduling point and the search begins again. */
void spin_plain_streak(uintptr_t address, uintptr_t pc);
#define SPIN_PLAIN_STREAK 20000u

#endif
