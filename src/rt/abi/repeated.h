/* What an atomic operation does to clocks and to the race check, and its short way where an execution
 * repeats the one before, as four of five operations do. There nobody is asked whose turn it is if the
 * prefix says that it stays with the running thread, and no record is made, since the one that stands
 * in the trace is what would be written: it is compared with what the program does now, as any repeated
 * event is. Everything else that follows from an operation (clocks, race notes, what its thread has
 * looked at) is done as always, so nothing is kept from the last execution that would have to be put
 * back. Whatever does not fit, a difference above all, takes the long way. */
#ifndef RT_REPEATED_H
#define RT_REPEATED_H

#include "rt/check/heap.h"
#include "rt/check/race.h"
#include "rt/check/stack.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/core/sync.h"

#include <stdatomic.h>

static inline bool acquires(int order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

static inline bool releases(int order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static __attribute__((noinline)) void acquire_later(const struct sync *s)
{
    struct thread *t = rt.self;
    if (!t->has_acquire_later)
        t->acquire_later.n = 0;
    t->has_acquire_later = true;
    vclock_join(&t->acquire_later, &s->clock);
}

static inline void clock_read(struct sync *s, int order)
{
    if (acquires(order))
        sync_acquire(s);
    else
        acquire_later(s);
}

static __attribute__((noinline)) void release_fenced(struct sync *s)
{
    if (rt.self->has_release_fence)
        vclock_join(&s->clock, &rt.self->release_fence);
}

/* An update continues the release sequence it reads from, and so does (until C17) a store by the thread
 * that began it, `owner`; any other store begins a new one. */
static inline void clock_write(struct sync *s, int order, bool update)
{
    if (!update && s->owner != rt.current) {
        s->clock.n = 0;
        s->owner = rt.current;
    }
    if (RT_LIKELY(releases(order)))
        sync_release(s);
    else
        release_fenced(s);
}

/* The first access of this size. */
static __attribute__((noinline)) void note_size(struct sync *s, const struct event *op)
{
    s->mixed |= s->limit || stack_of_thread(op->object) || !race_claim_atomic(op->object, op->size);
    s->limit = op->size;
}

/* For the race check. */
static inline void note_access(struct sync *s, const struct event *op, bool write)
{
    if (RT_UNLIKELY(s->limit != op->size))
        note_size(s, op);
    if (RT_UNLIKELY(s->mixed)) {
        race_access(op->object, op->size, op->pc, write ? RACE_ATOMIC | RACE_WRITE : RACE_ATOMIC);
        return;
    }
    const struct thread *t = rt.self;
    unsigned id = (unsigned)t->id;
    if (!tset_has(&s->seen_by, (int)id)) {
        tset_add(&s->seen_by, (int)id);
        s->seen[id].read = s->seen[id].write = 0;
    }
    *(write ? &s->seen[id].write : &s->seen[id].read) = t->clock.c[id];
    s->seen[id].pc = op->pc;
}

static inline __attribute__((always_inline)) void order_performed(const struct event *op, int order,
                                                                  bool reads, bool writes)
{
    struct sync *s = sync_get(op->object, SYNC_ATOMIC);
    note_access(s, op, writes);
    if (reads)
        clock_read(s, order);
    if (writes)
        clock_write(s, order, reads);
}

static inline bool is_step_of(const struct step *s, int thread, uint32_t event)
{
    return s->pick == thread && !s->branch && s->event == event;
}

/* Is it to be known on arrival there in which state the thread is? */
static __attribute__((noinline)) bool is_awaited(enum event_kind kind, uintptr_t pc)
{
    return rt.undoes ? kind == EV_RMW || await_is_place(pc) : kind != EV_STORE && await_is_place(pc);
}

/* The record of what the running thread is about to perform now, if it was the same before and comes
 * next; NULL: it is to be announced. */
static inline __attribute__((always_inline)) struct event *repeated(enum event_kind kind, uintptr_t address,
                                                                    uint32_t size, uintptr_t pc)
{
    struct trace *t = rt.trace;
    uint32_t n = t->event_count;
    struct thread *me = rt.self;
    struct event *slot = &t->events[n];
    if (n >= rt.repeats || t->step_count >= t->prefix ||
        !is_step_of(&t->steps[t->step_count], rt.current, n) || rt.run_count ||
        (me->attention | me->yielded) || me->spin_pc ||
        (RT_UNLIKELY(rt.awaits) && is_awaited(kind, pc)) ||
        slot->head != (EVENT_HEAD(kind, rt.current) | (uint64_t)me->events << 32) ||
        ((slot->object ^ address) | (slot->pc ^ pc) | (slot->size ^ size)))
        return NULL;
    rt_pulse();
    t->step_count++;
    rt.last = rt.current;
    me->plain_streak = 0;
    heap_check(address, size, kind != EV_LOAD, pc);
    return slot;
}

static inline void repeated_end(const struct event *slot)
{
    spin_performed(slot);
    rt.trace->event_count++;
    rt.self->events++;
}

static __attribute__((noinline)) void repeated_load(struct event *slot, uint64_t value, int order)
{
    slot->value = value;
    order_performed(slot, order, true, false);
    repeated_end(slot);
}

static __attribute__((noinline)) void repeated_store(struct event *slot, uint64_t old,
                                                      uint64_t value, int order)
{
    slot->value = value;
    slot->other = old;
    order_performed(slot, order, false, true);
    repeated_end(slot);
}

static __attribute__((noinline)) void repeated_update(struct event *slot, uint64_t old,
                                                      uint64_t value, int order)
{
    slot->value = value;
    slot->other = old;
    order_performed(slot, order, true, true);
    repeated_end(slot);
}

#endif
