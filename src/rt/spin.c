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
#define FEW 8
#define LOCK_ROUNDS 3 /* a mutex is taken in bounded loops, too: hash later */
#define MISSES 8 /* repeated looks without coming back to where the state is hashed: another loop */

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
    t->spin_misses = t->spin_others = 0;
    t->spin_round++;
    t->spin_turn++;
}

/* From now on changes of what it looks at are noted. */
static void suspect(struct thread *t, uint64_t pc, uint64_t object, uint64_t hash)
{
    begin_round(t, pc, object, hash);
    rt.suspects = true;
}

static uint32_t place_of(uint64_t pc, uint64_t object)
{
    return (uint32_t)((pc ^ object << 7) * 0x9e3779b97f4a7c15u >> 58);
}

/* Few entries are searched one by one, more of them through their places. */
static inline struct spin_entry *find(struct thread *t, uint64_t pc, uint64_t object)
{
    uint32_t n = t->ring_count, i = 0;
    if (RT_UNLIKELY(n > FEW)) {
        uint32_t place = place_of(pc, object);
        i = t->ring_place[place];
        if (i >= n || place_of(t->ring[i].pc, t->ring[i].object) != place)
            return NULL;
        if (t->ring[i].pc != pc || t->ring[i].object != object)
            i = 0;
    }
    for (; i < n; i++)
        if (t->ring[i].pc == pc && t->ring[i].object == object)
            return &t->ring[i];
    return NULL;
}

static __attribute__((noinline)) void note_places(struct thread *t, uint32_t from)
{
    for (uint32_t i = from; i < t->ring_count; i++)
        t->ring_place[place_of(t->ring[i].pc, t->ring[i].object)] = (uint8_t)i;
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
        if (t->ring[i].round == t->spin_round && t->ring[i].is.stale)
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
        uint32_t others = t->spin_others + 1;
        suspect(t, op->pc, op->object, h);
        t->spin_others = others;
    } else if (waits_alone(t, op)) {
        op->flags |= is_stale(t) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
    } else {
        t->awaiting = AWAIT_RING;
        t->attention = true;
    }
}

/* Is the loop not the one whose state was hashed, but a later one or one around it? */
static bool missed(struct thread *t, const struct spin_entry *r, bool head)
{
    if (head)
        t->spin_misses = 0;
    return !head && (t->spin_others > MISSES ||
                     (r->turn == t->spin_turn && ++t->spin_misses > MISSES));
}

static __attribute__((noinline)) void look_again(struct thread *t, struct spin_entry *r,
                                                 const struct event *op)
{
    bool head = t->spin_pc == op->pc && t->spin_object == op->object;
    if (op->flags & EVENT_SPUN)
        t->spin_round++;
    if (r->value != op->value)
        t->spin_pc = 0;
    else if (!(r->is.lock && ++r->is.seen < LOCK_ROUNDS) && (!t->spin_pc || missed(t, r, head)))
        suspect(t, op->pc, op->object, state_hash());
    t->spin_turn += head;
    r->turn = t->spin_turn;
    r->value = op->value;
    r->round = t->spin_round;
    r->is.stale = false;
}

static void look_first(struct thread *t, const struct event *op)
{
    struct spin_entry *r = &t->ring[t->ring_count++];
    r->pc = op->pc;
    r->object = op->object;
    r->value = op->value;
    r->round = t->spin_round;
    r->turn = t->spin_turn;
    r->size = op->size ? op->size : 1;
    r->is = (struct spin_marks){.lock = op->kind == EV_LOCK && !(op->flags & EVENT_FAILED)};
}

/* After a plain write, or with many entries. */
static __attribute__((noinline)) void looked_slowly(struct thread *t, const struct event *op)
{
    if (t->wrote || t->ring_count == SPIN_RING)
        spin_clear(t);
    t->wrote = false;
    struct spin_entry *r = find(t, op->pc, op->object);
    if (r) {
        look_again(t, r, op);
        return;
    }
    look_first(t, op);
    if (t->ring_count > FEW)
        note_places(t, t->ring_count == FEW + 1 ? 0 : t->ring_count - 1);
}

void spin_looked(const struct event *op)
{
    struct thread *t = rt.self;
    uint32_t n = t->ring_count;
    if (RT_UNLIKELY(t->wrote || n >= FEW)) {
        looked_slowly(t, op);
        return;
    }
    for (struct spin_entry *r = t->ring; r < t->ring + n; r++)
        if (r->pc == op->pc && r->object == op->object) {
            look_again(t, r, op);
            return;
        }
    look_first(t, op);
}

void spin_changed(const struct event *op)
{
    if (event_class(op->kind) == CLASS_ACQUIRE)
        return;
    sched_wake_spinners(op->object, op->size ? op->size : 1, false);
    if (op->kind == EV_COND_WAIT)
        sched_wake_spinners(op->other, 1, false);
}

/* Giving back a mutex that was taken in the loop changes nothing but that it is free. */
void spin_unlocked(const struct event *op)
{
    struct thread *t = rt.self;
    bool unchanged = false;
    for (uint32_t i = 0; i < t->ring_count && !t->wrote; i++)
        unchanged |= t->ring[i].is.lock && t->ring[i].object == op->object;
    if (!unchanged)
        spin_clear(t);
    if (RT_UNLIKELY(rt.suspects))
        sched_wake_spinners(op->object, 1, unchanged);
}

/* ---- yields ------------------------------------------------------------------------------------- */

void spin_in_window(const struct event *op)
{
    struct thread *t = rt.self;
    bool looks = spin_only_looks(op);
    uint32_t i = 0;
    while (i < t->window_count && t->window[i].object != op->object)
        i++;
    if (i < SPIN_WINDOW) {
        looks |= i < t->window_count && t->window[i].looks;
        t->window[i] = (struct spin_look){.object = op->object, .size = op->size ? op->size : 1,
                                          .looks = looks,
                                          .lock = op->kind == EV_LOCK || op->kind == EV_UNLOCK};
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

bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size, bool only_free)
{
    for (uint32_t i = 0; t->spin_pc && i < t->ring_count; i++) {
        struct spin_entry *r = &t->ring[i];
        if (r->object < object + size && object < r->object + r->size && !(only_free && r->is.lock))
            r->is.stale = true;
    }
    for (uint32_t i = 0; i < t->window_count; i++) {
        struct spin_look *w = &t->window[i];
        if (w->object < object + size && object < w->object + w->size && !(only_free && w->lock))
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
