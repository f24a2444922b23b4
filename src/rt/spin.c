/* How a waiting thread is recognised without guessing. Every look at an object (a read, a failed
 * attempt, taking a mutex that is given back) goes into the thread's ring, which any change that the
 * thread makes empties. When a look is repeated with the same result, the state of the fiber is hashed:
 * the callee-saved registers of the program's frame that called us (found by unwinding) and the
 * innermost 64 KiB of its stack. Nothing else can hold private state that matters: frames further out
 * can be changed from within the loop only through pointers, which is seen. If the thread is about to
 * repeat it with the same hash, it has gone round a loop that cannot end by itself unless one of the
 * objects of this round is changed; a bounded loop has a counter in one of those places and is left
 * alone. An update that leaves the value as it is (test-and-set of a lock that is taken) counts as a
 * read.
 *
 * Yields: a window collects what the thread looks at between two of them. When it has given way
 * FAIR_YIELDS times at the same place, having looked at the same objects, it waits. That leaves out
 * schedules in which it goes round alone while others could go on (the good samaritans of fair
 * stateless model checking, Musuvathi and Qadeer 2008), and a warning says so. */
#include "rt/spin.h"

#include <unwind.h>

#define FAIR_YIELDS 3
#define LOCK_ROUNDS 3 /* a mutex is taken in bounded loops, too: hash later */
#define MISSES (2 * SPIN_RING)

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

/* ---- rounds of a loop --------------------------------------------------------------------------- */

static void begin_round(struct thread *t, uint64_t pc, uint64_t object, uint64_t hash)
{
    t->spin_pc = pc;
    t->spin_object = object;
    t->spin_hash = hash;
    t->spin_misses = 0;
    t->spin_round++;
    rt.suspects = true;
}

static uint32_t place_of(uint64_t pc, uint64_t object)
{
    return (uint32_t)((pc ^ object << 7) * 0x9e3779b97f4a7c15u >> 58);
}

static struct spin_entry *find(struct thread *t, uint64_t pc, uint64_t object)
{
    uint32_t place = place_of(pc, object), i = t->ring_place[place];
    if (i >= t->ring_count || place_of(t->ring[i].pc, t->ring[i].object) != place)
        return NULL;
    if (t->ring[i].pc == pc && t->ring[i].object == object)
        return &t->ring[i];
    for (i = 0; i < t->ring_count; i++)
        if (t->ring[i].pc == pc && t->ring[i].object == object)
            return &t->ring[i];
    return NULL;
}

/* A lock does not block by itself when nobody has changed what it protects. */
static bool waits_alone(const struct thread *t, const struct event *op)
{
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round && t->ring[i].object != op->object)
            return false;
    return op->kind != EV_LOCK;
}

static bool is_stale(const struct thread *t)
{
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round && t->ring[i].stale)
            return true;
    return false;
}

void spin_before_repeated(struct event *op)
{
    struct thread *t = rt.self;
    if (t->wrote || t->spin_object != op->object)
        return;
    uint64_t h = state_hash();
    if (t->spin_hash != h) {
        begin_round(t, op->pc, op->object, h);
    } else if (waits_alone(t, op)) {
        op->flags |= is_stale(t) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
    } else {
        t->awaiting = AWAIT_RING;
        t->attention = true;
    }
}

/* The look was repeated with the same result. */
static void repeated(struct thread *t, struct spin_entry *r, const struct event *op)
{
    if (r->lock && ++r->seen < LOCK_ROUNDS)
        return;
    bool head = t->spin_pc == op->pc && t->spin_object == op->object;
    if (!t->spin_pc || (!head && ++t->spin_misses > MISSES))
        begin_round(t, op->pc, op->object, state_hash());
}

void spin_looked(const struct event *op)
{
    struct thread *t = rt.self;
    if (t->wrote) {
        t->wrote = false;
        spin_clear(t);
    }
    struct spin_entry *r = find(t, op->pc, op->object);
    if (op->flags & EVENT_SPUN)
        t->spin_round++;
    if (r && r->value == op->value) {
        repeated(t, r, op);
    } else if (r) {
        t->spin_pc = 0;
    } else {
        if (t->ring_count == SPIN_RING)
            spin_clear(t);
        r = &t->ring[t->ring_count];
        *r = (struct spin_entry){.pc = op->pc, .object = op->object, .size = op->size ? op->size : 1,
                                 .lock = op->kind == EV_LOCK && !(op->flags & EVENT_FAILED)};
        t->ring_place[place_of(op->pc, op->object)] = (uint8_t)t->ring_count++;
    }
    r->value = op->value;
    r->round = t->spin_round;
    r->stale = false;
}

/* Giving back a mutex that was taken in the loop changes nothing. */
bool spin_unlocked(const struct event *op)
{
    struct thread *t = rt.self;
    for (uint32_t i = 0; i < t->ring_count && !t->wrote; i++)
        if (t->ring[i].lock && t->ring[i].object == op->object)
            return false;
    spin_clear(t);
    return true;
}

/* ---- yields ------------------------------------------------------------------------------------- */

void spin_in_window(const struct event *op, bool looks)
{
    struct thread *t = rt.self;
    uint32_t i = 0;
    while (i < t->window_count && t->window[i].object != op->object)
        i++;
    if (i < SPIN_WINDOW) {
        looks |= i < t->window_count && t->window[i].looks;
        t->window[i] = (struct spin_look){.object = op->object, .size = op->size ? op->size : 1,
                                          .looks = looks};
        t->window_count += i == t->window_count;
    } else {
        t->yields = 0; /* too much for a loop that waits */
    }
}

/* Does it wait for a change of this one? What it also changes itself (a counter of attempts) counts only
 * if there is nothing else. */
static bool matters(const struct thread *t, uint32_t i)
{
    for (uint32_t k = 0; k < t->window_count; k++)
        if (t->window[k].looks)
            return t->window[i].looks;
    return true;
}

static uint64_t set_of_window(const struct thread *t)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < t->window_count; i++)
        if (matters(t, i))
            set |= event_object_bit(t->window[i].object);
    return set;
}

void spin_yielded(uint64_t pc)
{
    struct thread *t = rt.self;
    uint64_t set = set_of_window(t);
    t->yields = t->yields && pc == t->yield_pc && set == t->yield_set ? t->yields + 1 : 1;
    t->yield_pc = pc;
    t->yield_set = set;
    rt.suspects = true;
    if (t->yields > FAIR_YIELDS && set) {
        finding_warn(0, "schedules in which yielding threads keep others waiting for ever are left out");
        t->awaiting = AWAIT_WINDOW;
        t->attention = true;
    } else {
        t->window_count = 0;
    }
}

/* ---- waiting ------------------------------------------------------------------------------------ */

static uint64_t set_of_round(const struct thread *t)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round)
            set |= event_object_bit(t->ring[i].object);
    return set;
}

static bool window_is_stale(const struct thread *t)
{
    for (uint32_t i = 0; i < t->window_count; i++)
        if (t->window[i].stale && matters(t, i))
            return true;
    return false;
}

void spin_await(void)
{
    struct thread *t = rt.self;
    struct event announced = rt.next[rt.current];
    bool window = t->awaiting == AWAIT_WINDOW;
    struct event *op = sched_op(EV_AWAIT, announced.object, 8, announced.pc);
    op->other = window ? set_of_window(t) : set_of_round(t);
    op->flags = (window ? window_is_stale(t) : is_stale(t)) ? EVENT_SPUN
                                                            : EVENT_SPUN | EVENT_SPINNING;
    sched_visit();
    if (op->flags & EVENT_SPINNING) { /* nobody else could go on */
        op->flags = EVENT_FAILED;
        op->object = EVENT_ALONE_OBJECT;
    }
    sched_log_only(op);
    t->awaiting = AWAIT_NOTHING;
    t->spin_round++;
    t->window_count = 0;
    rt.next[rt.current] = announced;
}

bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size)
{
    for (uint32_t i = 0; t->spin_pc && i < t->ring_count; i++) {
        struct spin_entry *r = &t->ring[i];
        if (r->object < object + size && object < r->object + r->size)
            r->stale = true;
    }
    for (uint32_t i = 0; i < t->window_count; i++) {
        struct spin_look *w = &t->window[i];
        if (w->object < object + size && object < w->object + w->size)
            w->stale = true;
    }
    return t->awaiting == AWAIT_WINDOW ? window_is_stale(t) : is_stale(t);
}

void spin_plain_streak(uintptr_t pc)
{
    struct thread *t = rt.self;
    if (t->wrote || t->spin_pc != pc) { /* look again after as many accesses */
        t->wrote = false;
        begin_round(t, pc, 0, state_hash());
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
