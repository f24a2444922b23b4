/* Rounds that are left out (await.c) change nothing for anybody, but what they read could be in a race: with
 * a write that comes before or after them, or with the end of that memory. Behind the last look of a round
 * it is read only when that look is performed, which may be never while it leads back; and the look itself
 * races with plain accesses.
 *
 * So what a thread that waits does not read is noted here, with the moment at which it could have: while it
 * waits, since the look would read now what leads back. It is held against the accesses before (with what
 * the look would acquire) and against those that come later, as the race check does. If there is a race, or
 * the memory ends while the thread waits, that place is a lesson (LESSON_READ): rounds that read there
 * stand, and the search that begins again finds what there is to find.
 *
 * What a thread has on its own stack is part of its state, and taken for its own (stdatomic.h's temporaries
 * are there, too). What rounds use of it is remembered; if others are seen to use that it counts as shared
 * memory from then on (LESSON_OWN). Not seen are plain reads by others of what main's rounds write there. */
#include "rt/core/await_reads.h"

#include "rt/check/heap.h"
#include "rt/check/race.h"
#include "rt/core/await.h"
#include "rt/core/await_lock.h"
#include "rt/core/fiber.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"

#include <sys/mman.h>

#define LEFT 256
#define OWN 64 /* words of stacks */

static struct {
    uint32_t generation, count;
    struct left {
        uint64_t address, pc;
        uint32_t size, epoch;
        int thread;
        bool look; /* the look, an atomic operation */
    } items[LEFT];
} left;

/* Shared with the processes of --isolate fork. */
static struct own {
    uint32_t count;
    uint64_t words[OWN];
} *own;

void await_reads_init(void)
{
    own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED)
        rt_fatal("no memory for what is known of loops");
}

void await_reads_reset(void)
{
    rt.guards |= own->count;
}

static bool is_own(uint64_t word)
{
    for (uint32_t i = 0; i < own->count; i++)
        if (own->words[i] == word)
            return true;
    return false;
}

static void shared_word(uint64_t word)
{
    await_learn(word, LESSON_OWN);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

bool await_reads_own(uintptr_t address)
{
    uint64_t word = address & ~7ull;
    if (await_is(word, LESSON_OWN))
        return true;
    if (!is_own(word) && own->count == OWN)
        shared_word(word);
    else if (!is_own(word))
        own->words[own->count++] = word;
    rt.guards = true;
    return false;
}

void await_reads_foreign(uintptr_t address, size_t size)
{
    for (uint64_t word = address & ~7ull; own->count && word < address + size; word += 8)
        if (is_own(word))
            shared_word(word);
}

static void stands(uint64_t pc)
{
    await_learn(pc, LESSON_READ);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

static bool is_gone(uint64_t address)
{
    uint8_t shadow = address - HEAP_BASE < HEAP_SIZE
                         ? *(const uint8_t *)(HEAP_SHADOW + ((address - HEAP_BASE) >> 3)) : 8;
    return !shadow || shadow > 8;
}

bool await_reads_stand(const struct await_plain *reads, uint32_t count)
{
    for (const struct await_plain *r = reads; r < reads + count; r++)
        if (is_gone(r->address) || await_is(r->pc, LESSON_READ))
            return true;
    return false;
}

static bool races(void)
{
    return rt.shared->config.races != RACES_OFF;
}

static void note(const struct left *l)
{
    if (left.generation != rt.generation)
        left.count = 0;
    left.generation = rt.generation;
    for (struct left *i = left.items; i < left.items + left.count; i++)
        if (i->address == l->address && i->pc == l->pc && i->thread == l->thread && i->size >= l->size) {
            i->epoch = l->epoch;
            return;
        }
    if (left.count == LEFT)
        stands(l->pc);
    else
        left.items[left.count++] = *l;
}

/* With what the look would acquire. */
static const struct vclock *clock_behind(const struct thread *t, const struct sync *s)
{
    static struct vclock clock;
    if (!s || !t->await.acquires)
        return &t->clock;
    vclock_copy(&clock, &t->clock);
    vclock_join(&clock, &s->clock);
    return &clock;
}

void await_reads_left(const struct thread *t, const struct await_plain *reads, uint32_t count)
{
    const struct event *op = &rt.next[t->id];
    const struct sync *s = op->kind == EV_READ ? NULL : sync_find(op->object);
    uint32_t epoch = t->clock.c[t->id];
    if (rt.strategy->follows)
        return;
    if (op->kind != EV_READ) /* which is known to race */
        note(&(struct left){op->object, op->pc, op->size, epoch, t->id, true});
    if (op->kind != EV_READ && races() && !(s && !s->mixed) &&
        race_would(op->object, op->size, RACE_ATOMIC, &t->clock))
        stands(op->pc);
    rt.guards |= count || (s && s->mixed);
    for (const struct await_plain *r = reads; r < reads + count; r++) {
        note(&(struct left){r->address, r->pc, r->size, epoch, t->id, false});
        if (races() && race_would(r->address, r->size, 0, clock_behind(t, s)))
            stands(r->pc);
    }
}

static bool is_ordered(const struct left *l)
{
    const struct vclock *now = &rt.self->clock;
    return l->thread == rt.current || ((uint32_t)l->thread < now->n && l->epoch <= now->c[l->thread]);
}

static bool touches(const struct left *l, uintptr_t address, size_t size)
{
    return l->address < address + size && address < l->address + l->size;
}

void await_reads_wrote(uintptr_t address, size_t size, bool atomic)
{
    int on = fiber_of_stack(address);
    if (rt.lock_rounds)
        await_lock_wrote(address, size);
    if (on >= 0 && on != rt.current)
        await_reads_foreign(address, size);
    for (uint32_t i = 0; left.generation == rt.generation && races() && i < left.count; i++) {
        const struct left *l = &left.items[i];
        if (touches(l, address, size) && !(atomic && l->look) && !is_ordered(l))
            stands(l->pc);
    }
}

void await_reads_performed(const struct event *op)
{
    enum event_class c = event_class(op->kind);
    if (c == CLASS_WRITE || c == CLASS_RMW)
        await_reads_wrote(op->object, op->size ? op->size : 1, c == CLASS_RMW || op->kind == EV_STORE);
}

static bool still_waits(int t)
{
    return rt.all[t].state == THREAD_PENDING && rt.all[t].await.state;
}

void await_reads_ended(uintptr_t address, size_t size)
{
    for (uint32_t i = 0; left.generation == rt.generation && i < left.count; i++) {
        const struct left *l = &left.items[i];
        if (touches(l, address, size) && (still_waits(l->thread) || !is_ordered(l)))
            stands(l->pc);
    }
}
