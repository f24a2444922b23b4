/* Why one order of first operations is enough.
 *
 * Let t1 … tk be created one after the other by the same thread c, which does nothing else meanwhile, to
 * run the same function with the same argument. When all have come to their first operation they stand in
 * the same state. Take any execution and exchange the roles of two of them: if nothing in the program tells
 * them apart that is an execution too, with the same memory and the same findings, in which they have
 * changed places. So every execution can be renamed to one in which their first operations come in the
 * order of creation, and only those are explored: the start of t(i+1) is put off until ti has performed its
 * first operation. To engines that is a thread created by that operation (START follows it), so they need
 * to know nothing; the traces are those of the program with that order added, never more than without.
 *
 * What can tell them apart, and how it is seen:
 *   their number     pthread_self() and thread-local storage fault as long as nobody has used any (fiber.c),
 *                    and only then there are threads alike; gettid() and random numbers (a sequence for
 *                    each thread) are asked here
 *   being named      every use of a pthread_t but to join it: detaching, cancelling, signals, …
 *   addresses        memory from the heap (each thread has a part of its own) and its own stack, when it
 *                    makes a plain or atomic access to it or stores such an address, by an atomic operation
 *                    or a plain one: as long as there are threads alike every access to memory is looked at,
 *                    and what it stored when the thread comes to the next. (Not noticed is who compares
 *                    the address of a variable that is nowhere stored and never accessed.)
 *   their creator    other events or accesses of it between two creations; attributes
 *   who joins them   a result; and between the first join of one of them and the last, which must be of the
 *                    same thread, any event of the joiner's, or an access to what one of them has accessed
 *   creating threads themselves
 * When one of these is seen of a thread that has others like it, the search begins again without
 * (LESSON_APART). None of them depends on which of the threads it is, so a search in which none was seen
 * has lost nothing. */
#include "rt/core/orbit.h"

#include "rt/check/stack.h"
#include "rt/core/await.h"
#include "rt/core/fiber.h"
#include "rt/core/sched.h"
#include "rt/sym/sym.h"

void orbit_ask(void)
{
    struct shared *s = rt.shared;
    bool apart = await_knows(0, LESSON_APART);
    rt.orbit_lessons = s->lessons.count;
    rt.put_off = rt.half_joined = 0;
    rt.alike = false;
    rt.heeds = rt.recording;
    s->alike &= !apart;
    rt.may_orbit = s->config.symmetry && !apart && fiber_traps() && !rt.watched && !rt.properties &&
                   s->config.races != RACES_OFF && !sym_explores();
}

static void told_apart(void)
{
    await_learn(0, LESSON_APART);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

void orbit_shown(struct thread *t)
{
    t->unlike = true;
    if (t->orbit)
        told_apart();
}

/* What a word holds is known when its thread goes on; memory that threads share and that stays mapped. */
void orbit_accesses(uintptr_t address, size_t size)
{
    struct thread *t = rt.self;
    bool stays = address - MAPS_BASE >= MAPS_SIZE * ADDRESS_THREADS;
    if (t->stored && stack_of_thread(*t->stored))
        orbit_shown(t);
    t->stored = size == 8 && stays && address % 8 == 0 ? (const uint64_t *)address : NULL;
}

void orbit_uses_tls(void)
{
    if (rt.orbits && rt.shared->alike)
        await_learn(0, LESSON_APART);
}

/* ---- creation ----------------------------------------------------------------------------------- */

bool orbit_compare(const void *attr)
{
    const struct thread *c = rt.self, *before = &rt.all[rt.threads - 1];
    const struct thread *first = before->orbit ? &rt.all[before->orbit] : before;
    return before->id && first->creator == rt.current && !attr &&
           !before->unlike && !c->orbit && before->created_at == c->events && !c->plain_streak &&
           (before->put_off || before->state == THREAD_PENDING);
}

bool orbit_put_off(struct thread *t)
{
    struct thread *before = &rt.all[t->id - 1];
    if (!before->orbit) {
        before->orbit = (uint8_t)before->id;
        before->orbit_size = 1;
        before->orbit_joins = 0;
        before->stored = NULL;
    }
    t->orbit = before->orbit;
    t->stored = NULL;
    rt.all[t->orbit].orbit_size++;
    if (!rt.alike)
        rt_fill(rt.racy_filter, 1, sizeof rt.racy_filter); /* to hear of every access */
    rt.alike = rt.shared->alike = true;
    before->follower = (uint8_t)t->id;
    t->creator = before->id; /* by its first operation */
    t->put_off = true;
    rt.put_off++;
    rt.heeds = true;
    rt.repeats = 0;
    return true;
}

void orbit_start_follower(struct thread *t)
{
    struct thread *f = &rt.all[t->follower];
    t->follower = 0;
    f->put_off = false;
    rt.put_off--;
    sched_run_local_by(f->id, rt.trace->event_count);
}

bool orbit_start_others(void)
{
    for (int t = 1; t < rt.threads; t++)
        if (rt.all[t].follower && !rt.all[t].put_off)
            orbit_start_follower(&rt.all[t]);
    return rt.run_count;
}

/* ---- joining ------------------------------------------------------------------------------------ */

void orbit_count_join(const struct thread *t, bool result)
{
    struct thread *first = &rt.all[t->orbit];
    if (result || (first->orbit_joins && first->orbit_joiner != rt.current))
        told_apart();
    rt.half_joined += first->orbit_joins == 0;
    first->orbit_joiner = (uint8_t)rt.current;
    if (++first->orbit_joins == first->orbit_size)
        rt.half_joined--;
}

/* Has the running thread joined some of those that are like t, but not all? */
static bool joins(const struct thread *t)
{
    const struct thread *first = &rt.all[t->orbit];
    return t->orbit && first->orbit_joins && first->orbit_joins < first->orbit_size &&
           first->orbit_joiner == rt.current;
}

void orbit_meets(int thread)
{
    if (joins(&rt.all[thread]))
        told_apart();
}

void orbit_heed(const struct event *e)
{
    if (rt.self->orbit)
        orbit_accesses(0, 0);
    if (rt.self->follower && event_class(e->kind) != CLASS_LOCAL)
        orbit_start_follower(rt.self);
    if (rt.self->orbit && operation_creates(e->kind))
        told_apart();
    if (rt.self->orbit && e->size == 8 && stack_of_thread(e->value))
        told_apart();
    if (rt.half_joined && e->kind != EV_JOIN)
        for (int t = 1; t < rt.threads; t++)
            if (joins(&rt.all[t]))
                told_apart();
}
