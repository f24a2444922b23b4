/* Why a round that takes a mutex and gives it back may be left out, and which are.
 *
 * The round: thread t stands before lock(m) in state S (spin_state), takes m, reads memory by plain
 * accesses, writes nothing, gives m back and stands before the same lock in S. It is taken if
 *
 *  (1) nobody ever asks whether m is taken without waiting for it (trylock, timedlock), nor ends m's life
 *      while t is in the loop;
 *  (2) everything the round reads, outside of t's own stack, is read while t holds m, and whoever writes
 *      it holds m then, or is the only thread there is.
 *
 * Then the round can be taken out of any execution. Others cannot tell the difference: by (1) all they
 * could notice of it is that they had to wait for m, which is no event; it wrote nothing, and t is in S
 * before and after. So every state, failure and deadlock is reached without such rounds.
 *
 * What the round does follows from S and the values it reads: a *fact*. By (2) these values stay what they
 * are from the moment m is free until somebody has taken it and given it back; so t does not take m while
 * it is free and they are those of a fact, and whether it does so depends on what was done to m before,
 * and on nothing that is independent of the lock. By (2) also no race is lost: all accesses to these places
 * are ordered by m.
 *
 * (1) and (2) are watched in every execution. Before the first trylock, or write without m, of an execution
 * the argument holds, so that is reached in some execution that is explored; then the mutex is a lesson and
 * the search begins again without leaving out rounds of it. A fact is learned where the two steps of a round
 * follow each other, and the search begins again with it, as it may apply to steps that are kept.
 *
 * Not taken: rounds with another visible operation in them (two looks at different times), with reads
 * outside of the lock, or that read much; with --races off, where (2) would not be enough. Farms, and
 * engines that do not know of this, let all rounds stand (spin.c). */
#include "rt/core/await_lock.h"

#include "base/ensure.h"
#include "object/object.h"
#include "rt/abi/access.h"
#include "rt/core/await.h"
#include "rt/core/await_reads.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/posix/thread.h"
#include "rt/sym/sym.h"

#include <sys/mman.h>

#define FACTS 64
#define TRIED 64
#define YOUNG 5000 /* executions: a longer search is not begun again for a fact */

/* A round of that mutex from that state leads back to it if these hold what they held. */
struct lock_fact {
    uint64_t state, mutex;
    uint32_t racy; /* scheduling points then: with others it may be another round */
    uint32_t count;
    struct await_plain read[AWAIT_LOCK_READS];
};

/* Shared with the processes of --isolate fork. */
static struct lock_facts {
    uint32_t count, tried_count;
    uint32_t lessons; /* so many of the search's lessons were looked at */
    struct lock_fact items[FACTS];
    uint64_t tried[TRIED]; /* mutexes, before there were facts about them */
} *facts;

void await_lock_init(void)
{
    facts = mmap(NULL, sizeof *facts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (facts == MAP_FAILED)
        rt_fatal("no memory for what is known of loops");
}

static bool wanted(void)
{
    const struct run_config *c = &rt.shared->config;
    return rt.engine.awaits && rt.engine.lock_rounds && c->races != RACES_OFF && !c->farm &&
           !rt.rounds && !sym_explores();
}

/* ---- facts as lessons, which all have that share the search ---------------------------------------- */

enum { PART_STATE, PART_MUTEX, PART_COUNT, PART_SIZES, PART_READ }; /* from there on addresses and values */

/* Of all parts of one fact the same, but for the lowest bits; no address. */
static uint64_t name_of(const struct lock_fact *f)
{
    uint64_t h = f->state ^ f->racy;
    for (uint32_t i = 0; i < f->count; i++)
        h = (h ^ f->read[i].address ^ f->read[i].value << 20) * 0x9e3779b97f4a7c15u;
    return h >> 16 << 8 | 1ull << 63;
}

static bool put(const struct lock_fact *f)
{
    uint64_t name = name_of(f), sizes = 0;
    if (rt.shared->lessons.count + PART_READ + 2 * f->count > SHARED_LESSONS / 2)
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        sizes |= (uint64_t)f->read[i].size << 4 * i;
    await_reads_share(rt.self);
    await_learn(f->state, name | PART_STATE);
    await_learn(f->mutex, name | PART_MUTEX);
    await_learn((uint64_t)f->racy << 32 | f->count, name | PART_COUNT);
    await_learn(sizes, name | PART_SIZES);
    for (uint32_t i = 0; i < f->count; i++) {
        await_learn(f->read[i].address, name | (PART_READ + 2 * i));
        await_learn(f->read[i].value, name | (PART_READ + 2 * i + 1));
    }
    return true;
}

static bool part(uint64_t name, uint32_t which, uint64_t *out)
{
    const struct lessons *l = &rt.shared->lessons;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->items[i].with == (name | which)) {
            *out = l->items[i].key;
            return true;
        }
    return false;
}

static bool get(uint64_t name, struct lock_fact *f)
{
    uint64_t count, sizes;
    if (!part(name, PART_STATE, &f->state) || !part(name, PART_MUTEX, &f->mutex) ||
        !part(name, PART_COUNT, &count) || !part(name, PART_SIZES, &sizes))
        return false;
    f->racy = (uint32_t)(count >> 32);
    f->count = (uint32_t)count;
    for (uint32_t i = 0; i < f->count && i < AWAIT_LOCK_READS; i++) {
        f->read[i].size = sizes >> 4 * i & 15;
        if (!part(name, PART_READ + 2 * i, &f->read[i].address) ||
            !part(name, PART_READ + 2 * i + 1, &f->read[i].value))
            return false;
    }
    return f->count <= AWAIT_LOCK_READS;
}

static void read_lessons(void)
{
    const struct lessons *l = &rt.shared->lessons;
    for (; facts->lessons < l->count; facts->lessons++) {
        uint64_t with = l->items[facts->lessons].with;
        if (with >> 63 && (with & 255) == PART_STATE && facts->count < FACTS &&
            get(with, &facts->items[facts->count]))
            facts->count++;
    }
}

void await_lock_reset(void)
{
    read_lessons();
    rt.lock_rounds = wanted();
    rt.guards = rt.lock_rounds && facts->count;
}

bool await_lock_learn_place(uint64_t pc)
{
    if (wanted())
        await_learn_places(pc, LESSON_LOCK);
    return rt.restart;
}

/* ---- facts -------------------------------------------------------------------------------------- */

static bool in_force(const struct lock_fact *f)
{
    return f->racy == rt.racy_in_effect && !await_knows(f->mutex, LESSON_SEEN);
}

static bool holds(const struct lock_fact *f)
{
    if (await_reads_stand(f->read, f->count))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (access_value(f->read[i].address, f->read[i].size) != f->read[i].value)
            return false;
    return true;
}

/* Is there a fact about that state, and does one hold? */
static bool known(uint64_t state, bool now)
{
    for (const struct lock_fact *f = facts->items; f < facts->items + facts->count; f++)
        if (f->state == state && in_force(f) && (!now || holds(f)))
            return true;
    return false;
}

static bool was_tried(uint64_t mutex)
{
    for (uint32_t i = 0; i < facts->tried_count; i++)
        if (facts->tried[i] == mutex)
            return true;
    return facts->tried_count == TRIED || await_knows(mutex, LESSON_SEEN);
}

static bool has_facts(uint64_t mutex)
{
    for (const struct lock_fact *f = facts->items; f < facts->items + facts->count; f++)
        if (f->mutex == mutex && in_force(f))
            return true;
    return false;
}

static void begin_again(void)
{
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}

static bool may_learn(uint64_t mutex)
{
    return facts->count < FACTS && !was_tried(mutex) &&
           rt.shared->executions + rt.shared->blocked <= YOUNG;
}

static void learn(const struct lock_round *r)
{
    if (!may_learn(r->mutex))
        return;
    struct lock_fact f = {
        .state = r->state, .mutex = r->mutex, .racy = rt.racy_in_effect, .count = r->count};
    for (uint32_t i = 0; i < r->count; i++)
        f.read[i] = r->read[i];
    if (put(&f))
        begin_again();
}

static void seen(uint64_t mutex)
{
    await_learn(mutex, LESSON_SEEN);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

/* ---- a round ------------------------------------------------------------------------------------ */

bool await_lock_gave_way(uint32_t event)
{
    for (const struct trace *t = rt.trace; event < t->event_count; event++)
        if (t->events[event].kind != EV_YIELD && t->events[event].kind != EV_SLEEP)
            return false;
    return true;
}

/* Its two steps are the last ones, and there was nothing else but that it gave way. */
static bool is_whole(const struct lock_round *r)
{
    const struct trace *t = rt.trace;
    if (r->at != ROUND_LEFT || r->step + 2 != t->step_count || r->count > AWAIT_LOCK_READS || rt.self->wrote)
        return false;
    return await_lock_gave_way(r->event + 2);
}

static bool waits(const struct thread *t)
{
    const struct sync *s = sync_find(t->round.mutex);
    bool waits = !await_interruptible(t) && (!s || mutex_possible(&s->now, t->id)) &&
                 known(t->round.state, true);
    if (waits)
        await_reads_wait(t);
    return waits;
}

void await_lock_stands(struct event *op)
{
    struct thread *t = rt.self;
    struct lock_round *r = &t->round;
    uint64_t state = await_is_lock(op->pc) ? spin_state(op) : 0;
    if (is_whole(r) && r->state == state && r->mutex == op->object)
        learn(r);
    r->at = state ? ROUND_STANDS : ROUND_NOWHERE;
    r->state = state;
    r->mutex = op->object;
    r->fact = known(state, !may_learn(r->mutex));
    if (!r->fact)
        return;
    rt.reconsider = true;
    op->flags |= EVENT_SPUN;
    if (waits(t))
        op->flags |= EVENT_SPINNING;
}

void await_lock_taken(const struct sync *s)
{
    struct lock_round *r = &rt.self->round;
    bool here = r->state && s->owner == rt.current && s->count == 1;
    ensure(!r->state || r->mutex == s->address);
    r->at = here ? ROUND_INSIDE : ROUND_NOWHERE;
    r->fact = false;
    r->step = rt.trace->step_count - 1;
    r->event = rt.trace->event_count - 1;
    r->count = 0;
}

bool await_lock_inside(const struct sync *s)
{
    return rt.self->round.at == ROUND_INSIDE && rt.self->round.mutex == s->address;
}

void await_lock_given(void)
{
    rt.self->round.at = ROUND_LEFT;
}

void await_lock_read(uintptr_t address, uint32_t size)
{
    struct lock_round *r = &rt.self->round;
    if (r->at == ROUND_STANDS || r->count > AWAIT_LOCK_READS)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->read[i].address == address && r->read[i].size == size)
            return;
    if (r->at == ROUND_INSIDE && r->count < AWAIT_LOCK_READS && size <= 8)
        r->read[r->count++] = (struct await_plain){address, access_look(address, size), 0, size};
    else
        r->count = AWAIT_LOCK_READS + 1;
}

/* ---- who could notice --------------------------------------------------------------------------- */

static bool is_read(const struct lock_fact *f, uintptr_t address, size_t size)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (f->read[i].address < address + size && address < f->read[i].address + f->read[i].size)
            return true;
    return false;
}

void await_lock_wrote(uintptr_t address, size_t size)
{
    for (const struct lock_fact *f = facts->items; f < facts->items + facts->count; f++) {
        if (!is_read(f, address, size) || !in_force(f))
            continue;
        const struct sync *s = sync_find(f->mutex);
        if ((!s || s->owner != rt.current) && !thread_alone())
            seen(f->mutex);
    }
}

void await_lock_tried(uint64_t mutex)
{
    if (has_facts(mutex))
        seen(mutex);
    if (!was_tried(mutex))
        facts->tried[facts->tried_count++] = mutex;
}

static bool stands_before(int t)
{
    return rt.all[t].round.fact && rt.all[t].state == THREAD_PENDING;
}

void await_lock_destroyed(uint64_t mutex)
{
    TSET_FOR(t, &rt.live)
        if (stands_before(t) && rt.all[t].round.mutex == mutex)
            seen(mutex);
}

/* ---- waiting ------------------------------------------------------------------------------------ */

/* What they wait for is changed by plain writes, so it is looked at before each decision. */
void await_lock_reconsider(void)
{
    TSET_FOR(t, &rt.live) {
        struct event *op = &rt.next[t];
        if (!stands_before(t))
            continue;
        rt.reconsider = true;
        if (waits(&rt.all[t])) {
            op->flags |= EVENT_SPINNING;
            tset_remove(&rt.enabled, t);
        } else if (op->flags & EVENT_SPINNING) {
            op->flags &= (uint8_t)~EVENT_SPINNING;
            sync_recheck(t);
        }
    }
}
