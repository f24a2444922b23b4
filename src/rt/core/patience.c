/* Threads that are left behind: those whose assumption has failed, those that have come to a bug
 * where the search goes on, and those that give way. These may do so for ever while others could go
 * on: an execution in which one does so too often in a row is left, and a short search begun again
 * with more patience (start.c). */
#include "rt/check/finding.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/sym/sym.h"

/* An assumption may fail before others have shown which variables they share, where threads are to be
 * switched then. */
static bool needs_ends(enum outcome o)
{
    return rt.strategy->needs_ends ||
           (o == OUTCOME_ASSUME && rt.shared->config.granularity == GRANULARITY_SYNC);
}

void sched_leave_behind(enum outcome o)
{
    if (o == OUTCOME_ASSUME) {
        rt.discarded = true;
        tset_add(&rt.engine.gave_up, rt.current);
        rt.engine.only_looks = sched_only_looks();
    } else {
        rt.behind = o;
    }
    if (!needs_ends(o))
        sched_end_execution(o);
    sched_stay_behind();
}

void sched_stay_behind(void)
{
    if (!rt.discarded && !rt.behind)
        rt.behind = OUTCOME_BOUND;
    rt.atomic_thread = -1;
    sched_wait_local(THREAD_PARKED); /* for ever */
    __builtin_unreachable();
}

#define STEPS_OF_REST 2000u

void sched_limit_rest(void)
{
    uint32_t limit = rt.trace->step_count + STEPS_OF_REST;
    if (limit < rt.step_limit)
        rt.step_limit = limit;
}

/* Engines that reduce do not move others before the bug unless they have shown what they do. */
static bool leaves_others_behind(void)
{
    struct tset others = rt.enabled;
    tset_remove(&others, rt.current);
    return rt.shared->config.keep_going && rt.strategy->needs_ends && !tset_empty(&others);
}

/* What a thread does at its start, or behind a join, comes without a decision: in no execution do
 * others move first. */
static bool fails_at_once(void)
{
    bool others = !tset_empty(&rt.enabled);
    TSET_FOR(t, &rt.live)
        others |= t != rt.current && rt.all[t].state == THREAD_LOCAL;
    return others && rt.shared->config.keep_going && rt.self->events == rt.self->resumed_at;
}

void sched_note_behind(void)
{
    if (leaves_others_behind())
        finding_limit(LIMIT_BEHIND, 0);
    else if (fails_at_once())
        finding_limit(LIMIT_AT_ONCE, 0);
}

/* What they do behind the bug may have come before it, since nothing depends on the end. A second bug there
 * is none that happened; that it may be missing is told (finding_commit). */
void sched_fail(void)
{
    if (!leaves_others_behind() || rt.failed || rt.discarded || rt.properties || sym)
        sched_end_execution(OUTCOME_COMPLETE);
    rt.failed = true;
    rt.atomic_thread = -1;
    sched_limit_rest();
    sched_wait_local(THREAD_PARKED); /* for ever */
    __builtin_unreachable();
}

static void too_often(void)
{
    rt.shared->impatient |= !rt.engine.aside;
    sched_leave_behind(OUTCOME_BOUND);
}

void spin_yielded(uint64_t pc)
{
    struct thread *t = rt.self;
    bool unfair = rt.run_count || !tset_empty(&rt.enabled);
    t->yields = t->yields && pc == t->yield_pc ? t->yields + unfair : 1;
    t->yield_pc = pc;
    if (RT_UNLIKELY(t->yields > rt.patience))
        too_often();
}

/* To try for a second lock, fail, give back the first and begin again is to give way, too: two threads
 * can do so to each other any number of times. */
void spin_backs_off(const struct event *op)
{
    const struct thread *t = rt.self;
    bool tried = false, often = false;
    for (const struct spin_entry *r = t->ring; r < t->ring + t->ring_count; r++) {
        tried |= r->is.kind == EV_TRYLOCK;
        often |= r->pc == op->pc && r->object == op->object && r->is.lock && r->is.seen > rt.patience;
    }
    if (tried && often)
        too_often();
}
