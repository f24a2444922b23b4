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
 * are there, too). What rounds use of it is remembered; if others are seen to write that it counts as shared
 * memory from then on (LESSON_OWN). Others who read in order what a round writes there see nothing of it:
 * a round tells nobody of anything but by operations before which it stands in a state that has come
 * round. While a thread waits the race check has such writes beside those that were made, whichever of them
 * its round makes; if there is a race rounds that write there stand (LESSON_WROTE). */
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
#define OWN 64 /* accesses to own stacks; and those that others have told */

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
    bool elsewhere; /* than where the stacks of threads usually are */
    struct own_access {
        uint64_t address, size;
        bool written;
    } accesses[OWN + SHARED_LESSONS];
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

static void learn(uint64_t key, uint64_t with)
{
    await_learn(key, with);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

static void stands(uint64_t pc)
{
    learn(pc, LESSON_READ);
}

static bool races(void)
{
    return rt.shared->config.races != RACES_OFF;
}

/* ---- the own stack ------------------------------------------------------------------------------ */

static bool is_on(const struct thread *t, uint64_t address)
{
    return address - (uintptr_t)t->stack < t->stack_size;
}

static bool overlaps(const struct own_access *a, uintptr_t address, size_t size)
{
    return a->address < address + size && address < a->address + a->size;
}

static void remember(uintptr_t address, size_t size, bool written)
{
    struct own_access *a = own->accesses, *end = a + own->count;
    while (a < end && a->address != address)
        a++;
    if (a == end)
        *end = (struct own_access){.address = address};
    own->count += a == end;
    if (size > a->size)
        a->size = size;
    a->written |= written;
    own->elsewhere |= fiber_of_stack(address) < 0;
}

/* The round of the running thread stands. */
static void let_stand(void)
{
    rt.self->await.plain_count = AWAIT_PLAIN + 1;
    rt.self->round.count = AWAIT_LOCK_READS + 1;
}

bool await_reads_own(uintptr_t address, size_t size, bool write)
{
    if (await_is(address, LESSON_OWN))
        return true;
    if (own->count >= OWN) {
        learn(address, LESSON_OWN);
        return true;
    }
    remember(address, size, write);
    if (write && await_is(address, LESSON_WROTE))
        let_stand();
    rt.guards = true;
    return false;
}

void await_reads_mine(uint64_t address, uint64_t with)
{
    remember(address, with >> MINE_SIZE, true);
}

void await_reads_share(const struct thread *t)
{
    for (const struct own_access *a = own->accesses; a < own->accesses + own->count; a++)
        if (is_on(t, a->address))
            await_learn(a->address, LESSON_MINE | a->size << MINE_SIZE);
}

/* The running thread writes there: is it on the stack of another one? */
static void written(uintptr_t address, size_t size)
{
    if (is_on(rt.self, address) || (fiber_of_stack(address) < 0 && !own->elsewhere))
        return;
    for (const struct own_access *a = own->accesses; a < own->accesses + own->count; a++)
        if (overlaps(a, address, size))
            learn(a->address, LESSON_OWN);
}

void await_reads_wait(const struct thread *t)
{
    const struct own_access *end = own->accesses + own->count;
    for (const struct own_access *a = own->accesses; races() && !rt.strategy->follows && a < end; a++)
        if (a->written && is_on(t, a->address) && !await_is(a->address, LESSON_WROTE))
            race_left(t, a->address, a->size);
}

void await_reads_raced(uintptr_t address, size_t size)
{
    for (const struct own_access *a = own->accesses; a < own->accesses + own->count; a++)
        if (a->written && overlaps(a, address, size))
            learn(a->address, LESSON_WROTE);
}

/* ---- what is not read --------------------------------------------------------------------------- */

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
    await_reads_wait(t);
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
    if (rt.lock_rounds)
        await_lock_wrote(address, size);
    written(address, size);
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
