/* How a spinning thread is recognised without guessing: when a thread is about to repeat a read (same
 * instruction, same object, same value) and has only read since, the state of its fiber is hashed:
 * the callee-saved registers of the program's frame that called us (found by unwinding) the
 * innermost 64 KiB of its stack. Nothing else can hold private state that matters: frames further
 * out can be changed from within the loop only through pointers, which is seen. If the next
 * repetition has the same hash, the thread has gone round a loop that cannot end by itself; a
 * bounded loop has a counter in one of those places and is left alone. */
#include "rt/access.h"
#include "rt/spin.h"

#include <unwind.h>

struct frame_state {
    uint64_t hash;
    uintptr_t sp;
};

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static _Unwind_Reason_Code first_program_frame(struct _Unwind_Context *c, void *arg)
{
    static const int saved[] = {3 /* rbx */, 6 /* rbp */, 12, 13, 14, 15};
    struct frame_state *s = arg;
    uintptr_t ip = _Unwind_GetIP(c);
    if (!rt_from_program(ip))
        return _URC_NO_REASON;
    s->hash = mix(s->hash, ip);
    for (unsigned i = 0; i < sizeof saved / sizeof saved[0]; i++)
        s->hash = mix(s->hash, _Unwind_GetGR(c, saved[i]));
    s->sp = _Unwind_GetCFA(c);
    return _URC_END_OF_STACK;
}

static uint64_t state_hash(void)
{
    struct frame_state s = {.hash = 1};
    bool was = rt.active;
    rt.active = false;
    _Unwind_Backtrace(first_program_frame, &s);
    rt.active = was;
    const uint64_t *p = (const uint64_t *)(s.sp & ~7ull);
    const uint64_t *end = (const uint64_t *)(rt.self->stack + rt.self->stack_size - 64);
    if (end - p > (long)(SPIN_STACK / sizeof *p))
        end = p + SPIN_STACK / sizeof *p;
    for (; s.sp && p < end; p++)
        s.hash = mix(s.hash, *p);
    return mix(s.hash, s.sp);
}

/* Half of what is compared, since the next look may be from a deeper frame. */
bool spin_is_far(uintptr_t address)
{
    return address - (uintptr_t)__builtin_frame_address(0) >= SPIN_STACK / 2;
}

/* Would the read give the same again? A lock that could not be had is still taken. */
static bool still_so(const struct spin_entry *r)
{
    if (r->size)
        return access_peek(r->object, r->size) == r->value;
    const struct sync *s = sync_find(r->object);
    if (!s || s->type == SYNC_SEM)
        return s && (uint64_t)s->count == r->value;
    return s->owner >= 0 || s->count > 0;
}

/* What was read early in the loop may have changed while the thread was further on in it. */
static bool all_still_so(const struct thread *t)
{
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++)
        if (!still_so(&t->ring[i]))
            return false;
    return true;
}

void spin_before_read(struct event *op, uint64_t value)
{
    struct thread *t = rt.self;
    if (t->wrote) {
        t->wrote = false;
        spin_clear(t);
        return;
    }
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++) {
        const struct spin_entry *r = &t->ring[i];
        if (r->pc != op->pc || r->object != op->object || r->value != value)
            continue;
        uint64_t h = state_hash();
        if (t->spin_pc == op->pc && t->spin_hash == h && all_still_so(t))
            op->flags |= EVENT_SPINNING;
        if (!t->spin_pc || t->spin_pc == op->pc) {
            t->spin_pc = op->pc;
            t->spin_hash = h;
        }
        return;
    }
}

void spin_performed_slow(const struct event *op)
{
    struct thread *t = rt.self;
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++)
        if (t->ring[i].pc == op->pc && t->ring[i].object == op->object) {
            if (t->ring[i].value != op->value)
                t->spin_pc = 0;
            t->ring[i].value = op->value;
            t->ring[i].size = op->size;
            return;
        }
    t->ring[t->ring_count++ % SPIN_RING] = (struct spin_entry){op->pc, op->object, op->value, op->size};
}

bool spin_reads(const struct thread *t, uint64_t object, uint32_t size)
{
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++)
        if (t->ring[i].object < object + size && object < t->ring[i].object + 8)
            return true;
    return false;
}

void spin_plain_streak(uintptr_t pc)
{
    struct thread *t = rt.self;
    if (t->wrote || t->spin_pc != pc) { /* look again after as many accesses */
        t->wrote = false;
        t->spin_pc = pc;
        t->spin_hash = state_hash();
        t->plain_streak = SPIN_PLAIN_STREAK - 1024; /* catch the same pc soon, if it is a loop */
        return;
    }
    uint64_t h = state_hash();
    if (h != t->spin_hash) {
        t->spin_pc = 0;
        t->plain_streak = 0;
        return;
    }
    finding_promote(pc);
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}
