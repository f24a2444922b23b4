/* How a spinning thread is recognised without guessing: when a thread is about to repeat a read (same
 * instruction, same object, same value) and has only read since, the state of its fiber is hashed:
 * the callee-saved registers of the program's frame that called us (found by unwinding) the
 * innermost 64 KiB of its stack. Nothing else can hold private state that matters: frames further
 * out can be changed from within the loop only through pointers, which is seen. If the next
 * repetition has the same hash and nothing read on the way has been written meanwhile, the thread
 * has gone round a loop that cannot end by itself; a bounded loop has a counter in one of those
 * places and is left alone. An update that leaves the value as it is (test-and-set of a lock that is
 * taken) counts as a read. */
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

static void begin_round(struct thread *t, uint64_t pc, uint64_t hash)
{
    t->spin_pc = pc;
    t->spin_hash = hash;
    t->spin_round++;
}

/* From now on writes to what it reads on the way are noted. */
static void suspect(struct thread *t, uint64_t pc, uint64_t hash)
{
    begin_round(t, pc, hash);
    rt.suspects = true;
}

/* The thread is where it was and has only read. It waits, unless something it read on the way has been
 * written since; then it goes on because of that write, which is what a wait would have ended with. */
static void round_again(struct thread *t, struct event *op)
{
    uint32_t stale = 0;
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++)
        if (t->ring[i].round == t->spin_round && t->ring[i].stale)
            stale = t->ring[i].stale;
    op->flags |= stale ? EVENT_SPUN : EVENT_SPINNING;
    op->match = stale == SPIN_UNSEEN ? 0 : stale;
}

void spin_before_repeated(struct event *op, uint64_t value)
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
        if (t->spin_pc == op->pc && t->spin_hash == h)
            round_again(t, op);
        else if (!t->spin_pc || t->spin_pc == op->pc)
            suspect(t, op->pc, h);
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
            t->ring[i].round = t->spin_round;
            t->ring[i].stale = 0;
            return;
        }
    t->ring[t->ring_count++ % SPIN_RING] =
        (struct spin_entry){op->pc, op->object, op->value, t->spin_round, 0};
}

bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size, uint32_t event)
{
    bool any = false;
    for (uint32_t i = 0; i < t->ring_count && i < SPIN_RING; i++) {
        struct spin_entry *r = &t->ring[i];
        if (r->round == t->spin_round && r->object < object + size &&
            object < r->object + SPIN_WIDEST) {
            any = true;
            if (!r->stale)
                r->stale = event;
        }
    }
    return any;
}

void spin_plain_streak(uintptr_t pc)
{
    struct thread *t = rt.self;
    if (t->wrote || t->spin_pc != pc) { /* look again after as many accesses */
        t->wrote = false;
        begin_round(t, pc, state_hash());
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
