/* How a waiting thread is recognised without guessing. Every look at an object (a read, a failed
 * attempt, taking a mutex that is given back) goes into the thread's ring, which any change that the
 * thread makes empties. When a look is repeated with the same result, the state of the fiber is hashed:
 * the callee-saved registers of the program's frame that called us (noted by hooks.S; of calls that do not
 * come through it found by unwinding) and the innermost 64 KiB of its stack, both without what is dead
 * (code/live.h). Nothing else can hold private state that matters: frames further out can be changed from
 * within the loop only through pointers, which is seen. If the thread is about to repeat it with the same
 * hash, it has gone round a loop that cannot end by itself unless one of the objects of this round is
 * changed; a bounded loop has a counter in one of those places and is left alone. An update or store that
 * leaves the value as it is (test-and-set of a lock that is taken) counts as a read.
 *
 * Yields, sleeps and timeouts are a preference, never a promise: a thread that gives way may be the one
 * that goes on, and a poll that gives up after n rounds does so in some execution. Loops that count and
 * give way need not end, though; so a thread that has given way rt.patience times in a row at one place,
 * while others could go on, stays behind. That was not all there is: the search begins again with twice
 * the patience as long as it is short, and says otherwise that it is not complete (start.c). */
#include "rt/core/spin.h"

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/code/live.h"
#include "rt/core/await_lock.h"
#include "rt/core/await_reads.h"
#include "rt/core/await_try.h"
#include "rt/core/caller.h"
#include "rt/core/fiber.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/sym/sym.h"

#define FEW 8
#define LOCK_ROUNDS 3 /* a mutex is taken in bounded loops, too: hash later */
#define MISSES 8 /* repeated looks without coming back to where the state is hashed: another loop */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Four lanes, since one multiplication has to wait for the one before it. They begin far from each other:
 * close by, two that have the same word would only change places when it becomes its neighbour. */
static uint64_t hash_words(uint64_t h, const uint64_t *p, const uint64_t *end)
{
    uint64_t lane[4] = {h, h ^ 0xd6e8feb86659fd93u, h ^ 0xa0761d6478bd642fu, h ^ 0xe7037ed1a0b428dbu};
    for (; end - p >= 4; p += 4)
        for (int i = 0; i < 4; i++)
            lane[i] = mix(lane[i], p[i]);
    for (; p < end; p++)
        lane[0] = mix(lane[0], *p);
    return mix(mix(lane[0], lane[1]), mix(lane[2], lane[3]));
}

static uint64_t hash_live(uint64_t h, const uint64_t *p, const uint64_t *mask, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        h = mix(h, p[i] & mask[i]);
    return h;
}

static void scramble(uint64_t *p, const uint64_t *mask, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        p[i] = (p[i] & mask[i]) | (0xa5a5a5a5a5a5a5a5u & ~mask[i]);
}

/* Of the frames that are understood, from the innermost outwards: what is not dead (code/live.h). Gives
 * the stack pointer of the first one that is not. */
static uint64_t hash_frames(uint64_t h, const struct frame *f, uintptr_t *sp)
{
    const struct thread *t = rt.self;
    uintptr_t base = f->saved[1], top = (uintptr_t)t->stack + t->stack_size - 64, pc = f->pc;
    const struct live *l = live_at(pc, *sp, base);
    h = l ? hash_live(h, f->saved, l->registers, 6) : hash_words(h, f->saved, f->saved + 6);
    for (; l && base + 16 < top; l = live_at(pc, *sp, base)) {
        h = mix(h, l->place);
        if (RT_UNLIKELY(rt.scrambles))
            scramble((uint64_t *)*sp, l->memory, l->words);
        h = hash_live(h, (const uint64_t *)*sp, l->memory, l->words);
        h = mix(h, *(const uint64_t *)base);
        *sp = base + 16;
        pc = ((uintptr_t *)base)[1];
        base = *(uintptr_t *)base;
    }
    rt.wipes |= !l && pc - rt.program_start < rt.program_size;
    return mix(h, l ? l->place : pc);
}

/* whole: with what is dead. What the operation under way is called with is not in it otherwise. */
static uint64_t hash_of(uint64_t pc, bool whole)
{
    const struct thread *t = rt.self;
    struct frame f;
    uintptr_t sp;
    if (!caller_frame(pc, &f, &sp))
        return f.pc;
    uint64_t h = whole ? hash_words(mix(f.pc, sp), f.saved, f.saved + 6) : hash_frames(sp, &f, &sp);
    const uint64_t *p = (const uint64_t *)(sp & ~7ull);
    const uint64_t *end = (const uint64_t *)(t->stack + t->stack_size - 64);
    if (end - p > (long)(SPIN_STACK / sizeof *p))
        end = p + SPIN_STACK / sizeof *p;
    return p < end ? hash_words(h, p, end) : h;
}

uint64_t spin_state(const struct event *op)
{
    uint64_t h = mix(mix(hash_of(op->pc, false), op->object), op->value);
    return (mix(h, op->other) ^ (uint64_t)await_shared_words() << 32) | 1;
}

/* Half of what is compared, since the next look may be from a deeper frame. */
bool spin_is_far(uintptr_t address, size_t size)
{
    return address - (uintptr_t)__builtin_frame_address(0) >= SPIN_STACK / 2 ||
           (spin_in_round(rt.self) && await_reads_own(address, size, true));
}

/* ---- rounds of a loop --------------------------------------------------------------------------- */

static void begin_round(struct thread *t, uint64_t pc, uint64_t object, uint64_t hash)
{
    t->spin_pc = pc;
    t->spin_object = object;
    t->spin_hash = hash;
    t->spin_arguments = 0;
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
        if (t->ring[i].round == t->spin_round && t->ring[i].object != op->object && !t->ring[i].is.plain)
            return false;
    return op->kind != EV_LOCK;
}

/* A mutex is taken again at the same place, and nothing else was done since: perhaps a loop which waits. */
static void learn_lock(const struct thread *t, const struct event *op)
{
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].object != op->object && !t->ring[i].is.plain)
            return;
    if (await_lock_learn_place(op->pc))
        sched_end_execution(OUTCOME_ABANDONED);
}

/* Has it taken a mutex since it looked here before, which it still has? Then this is no place to wait:
 * others wait for it. */
static bool went_inside(const struct thread *t, const struct spin_entry *r, const struct event *op)
{
    for (uint32_t i = 0; r->is.taken != t->spin_taken && i < t->ring_count; i++) {
        const struct sync *s = t->ring[i].is.lock ? sync_find(t->ring[i].object) : NULL;
        if (s && s->owner == t->id && s->address != op->object)
            return true;
    }
    return false;
}

static void note_taken(struct thread *t, const struct event *op)
{
    if (op->kind == EV_LOCK && !(op->flags & EVENT_FAILED))
        t->spin_taken += 1 + (t->spin_taken == UINT16_MAX);
}

static bool is_stale(const struct thread *t, bool plain)
{
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round && t->ring[i].is.stale && t->ring[i].is.plain == plain)
            return true;
    return false;
}

bool spin_overlooked(const struct thread *t)
{
    return is_stale(t, true);
}

/* The loop under way is one that waits: the places where it looks; is one of them new? */
static bool learn_places(const struct thread *t, const struct event *op)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->ring_count; i++) {
        const struct spin_entry *r = &t->ring[i];
        bool mine = r->round == t->spin_round && !r->is.plain;
        n += mine;
        if (mine && !await_in_memory(r->is.kind, r->size))
            return false;
    }
    if (n > AWAIT_LOOKS)
        return false;
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round && !t->ring[i].is.plain)
            await_learn_place(t->ring[i].pc);
    await_learn_place(op->pc);
    return rt.restart;
}

/* A compare-exchange that is repeated with what the last one found: the places where that could
 * have been found before; is one of them new? */
static bool learn_earlier_looks(struct thread *t, const struct event *op)
{
    const struct spin_entry *last = find(t, op->pc, op->object);
    if (!last || last->is.kind != EV_CAS_FAIL)
        return false;
    for (uint32_t i = 0; i < t->ring_count; i++) {
        const struct spin_entry *r = &t->ring[i];
        if (r->object == op->object && !r->is.plain && await_in_memory(r->is.kind, r->size))
            await_learn_place(r->pc);
    }
    return rt.restart;
}

/* Is it tried with other values than the last time, or not known with which? They may not be hashed. */
static bool other_arguments(struct thread *t, const struct event *op)
{
    uint64_t now = mix(op->value, op->other) | 1, before = t->spin_arguments;
    t->spin_arguments = now;
    return before != now && (op->kind == EV_CAS || op->kind == EV_RMW);
}

void spin_before_repeated(struct event *op)
{
    struct thread *t = rt.self;
    if (t->wrote || t->spin_object != op->object)
        return;
    const struct spin_entry *r = find(t, op->pc, op->object);
    if (r && went_inside(t, r, op))
        return;
    uint64_t h = hash_of(op->pc, false);
    bool awaits = rt.engine.awaits && !sym_explores();
    if (awaits && (t->spin_hash == h ? learn_places(t, op) : learn_earlier_looks(t, op))) {
        sched_end_execution(OUTCOME_ABANDONED);
    } else if (t->spin_hash != h) {
        uint32_t others = t->spin_others + 1;
        if (!(others & (others - 1))) /* Brent: it may come back to a state in every few rounds only */
            suspect(t, op->pc, op->object, h);
        t->spin_others = others;
    } else if (other_arguments(t, op)) {
        return;
    } else if (waits_alone(t, op)) {
        op->flags |= is_stale(t, false) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
    } else {
        t->awaiting = true;
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
    if (rt.rounds)
        return; /* when it comes back to a state, the strategy knows */
    if (rt.engine.awaits && !sym && !await_is_place(op->pc))
        await_learn_loop(t);
    if (op->flags & EVENT_FAILED && rt.engine.awaits && !sym)
        await_try_learn_place(t, op);
    if (r->is.lock && rt.engine.lock_rounds)
        learn_lock(t, op);
    if (head && op->flags & EVENT_SPUN)
        t->spin_round++;
    if (r->value != op->value)
        t->yields = 0;
    if ((r->value != op->value || r->is.stale) && t->spin_others & (t->spin_others - 1))
        t->spin_hash = t->spin_others = 0; /* from that older state it may go another way now */
    note_taken(t, op);
    if (r->value != op->value && !rt.engine.awaits)
        t->spin_pc = 0;
    else if (!(r->is.lock && ++r->is.seen < LOCK_ROUNDS) && (!t->spin_pc || missed(t, r, head)) &&
             !went_inside(t, r, op))
        suspect(t, op->pc, op->object, hash_of(op->pc, false));
    t->spin_turn += head;
    r->turn = t->spin_turn;
    r->value = op->value;
    r->round = t->spin_round;
    r->is.stale = false;
    r->is.taken = t->spin_taken;
}

static inline __attribute__((always_inline)) void look_first(struct thread *t, const struct event *op)
{
    struct spin_entry *r = &t->ring[t->ring_count++];
    r->pc = op->pc;
    r->object = op->object;
    r->value = op->value;
    r->round = t->spin_round;
    r->turn = t->spin_turn;
    r->size = op->size;
    r->is = (struct spin_marks){.kind = op->kind};
    if (op->kind == EV_LOCK) {
        r->is.lock = !(op->flags & EVENT_FAILED);
        note_taken(t, op);
    }
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

void spin_plain_look(uintptr_t address, uint32_t size, uintptr_t pc)
{
    struct thread *t = rt.self;
    bool own = address - (uintptr_t)t->stack < t->stack_size;
    if (t->wrote || (own && !(rt.awaits && await_reads_own(address, size, false))))
        return;
    if (t->round.at)
        await_lock_read(address, size);
    if (t->await.count && size > 8)
        t->await.plain_count = AWAIT_PLAIN + 1; /* not all of it is compared */
    else if (t->await.count && t->await.plain_count++ < AWAIT_PLAIN)
        t->await.plain[t->await.plain_count - 1] =
            (struct await_plain){address, access_look(address, size), pc, size};
    if (!t->spin_pc)
        return;
    struct spin_entry *r = find(t, pc, address);
    if (!r && t->ring_count == SPIN_RING) {
        spin_clear(t);
        return;
    }
    if (r && r->is.stale && t->spin_others & (t->spin_others - 1))
        t->spin_hash = t->spin_others = 0;
    if (!r) {
        look_first(t, &(struct event){.object = address, .pc = pc, .size = size});
        r = &t->ring[t->ring_count - 1];
        if (t->ring_count > FEW)
            note_places(t, t->ring_count == FEW + 1 ? 0 : t->ring_count - 1);
    }
    r->round = t->spin_round;
    r->is = (struct spin_marks){.plain = true};
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
    rt.reconsider = rt.awaits;
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

/* ---- waiting ------------------------------------------------------------------------------------ */

static uint64_t set_of_round(const struct thread *t)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < t->ring_count; i++)
        if (t->ring[i].round == t->spin_round && !t->ring[i].is.plain)
            set |= event_object_bit(t->ring[i].object);
    return set;
}

static uint64_t objects_of_round(const struct thread *t)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->ring_count; i++) {
        bool new = t->ring[i].round == t->spin_round && !t->ring[i].is.plain;
        for (uint32_t k = 0; k < i && new; k++)
            new = t->ring[k].object != t->ring[i].object || t->ring[k].round != t->spin_round;
        count += new;
    }
    return count;
}

void spin_await(void)
{
    struct thread *t = rt.self;
    struct event announced = rt.next[rt.current];
    struct event *op = sched_op(EV_AWAIT, announced.object, 8, announced.pc);
    op->other = set_of_round(t);
    op->value = objects_of_round(t);
    op->flags = is_stale(t, false) ? EVENT_SPUN : EVENT_SPUN | EVENT_SPINNING;
    sched_visit();
    sched_log_only(op);
    t->awaiting = false;
    t->yields = 0;
    t->spin_round++;
    rt.next[rt.current] = announced;
}

bool spin_made_stale(struct thread *t, uint64_t object, uint32_t size, bool only_free)
{
    for (uint32_t i = 0; t->spin_pc && i < t->ring_count; i++) {
        struct spin_entry *r = &t->ring[i];
        uint32_t seen = r->size ? r->size : 1;
        if (r->object < object + size && object < r->object + seen && !(only_free && r->is.lock))
            r->is.stale = true;
    }
    return is_stale(t, false);
}

void spin_plain_streak(uintptr_t address, uintptr_t pc)
{
    struct thread *t = rt.self;
    /* A counter on its own stack that nobody looks at is dead, but to count is not to wait for it. */
    uint64_t h = hash_of(pc, fiber_of_stack(address) == rt.current);
    if (t->wrote || t->spin_pc != pc) { /* look again after as many accesses */
        t->wrote = false;
        begin_round(t, pc, 0, h);
        t->plain_streak = SPIN_PLAIN_STREAK - 1024; /* catch the same pc soon, if it is a loop */
        return;
    }
    if (h != t->spin_hash) {
        t->spin_pc = t->plain_streak = 0;
        return;
    }
    finding_promote(pc);
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}
