/* Announcing, deciding, switching. A thread that comes to a visible operation fills in its pending
 * record and calls sched_visit. If threads wait on the run stack (just created, just joined, let out
 * of a barrier) they first go on, without a decision, to their own next visible operation; then, with
 * every live thread standing before its operation, the next step is taken from the prefix or from
 * the engine. A thread that is picked again just returns.
 *
 * The operation is performed by its own thread after sched_visit returns, and logged by sched_log
 * (record.c). */
#include "rt/core/sched.h"

#include "base/ensure.h"
#include "rt/check/finding.h"
#include "rt/check/property.h"
#include "rt/core/await_try.h"
#include "rt/core/block.h"
#include "rt/core/capture.h"
#include "rt/core/fiber.h"
#include "rt/core/orbit.h"
#include "rt/core/record.h"
#include "rt/core/round.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/posix/signals.h"
#include "rt/posix/thread.h"
#include "rt/tell/debugger.h"
#include "rt/tell/story.h"

#include "rt/core/spin.h"
#include "rt/abi/svcomp.h"

static __attribute__((noinline)) void switch_with_floats(struct thread *me, struct thread *other)
{
    uint64_t floats = fiber_floats();
    fiber_switch(&me->sp, other->sp, other->fs);
    fiber_set_floats(floats);
}

static void switch_to(int next)
{
    struct thread *me = rt.self, *other = &rt.all[next];
    if (other == me)
        return;
    rt.current = next;
    rt.self = other;
    if (RT_UNLIKELY(rt.keeps_floats))
        switch_with_floats(me, other);
    else
        fiber_switch(&me->sp, other->sp, other->fs);
}

/* What the threads that have not ended were about to do, for the engine's end(). The one that runs is about
 * to do nothing more: the execution ends with it. */
static void note_pending(void)
{
    struct shared *s = rt.shared;
    s->unfinished = rt.live;
    if (rt.self->state == THREAD_LOCAL)
        tset_remove(&s->unfinished, rt.current);
    TSET_FOR(t, &rt.live) {
        s->pending[t] = rt.next[t];
        if (rt.all[t].state != THREAD_PENDING && rt.all[t].state != THREAD_JOINING)
            s->pending[t].kind = EV_NONE;
    }
}

static void leave_for_home(void)
{
    void *abandoned;
    note_pending();
    rt.active = false;
    fiber_switch(&abandoned, rt.home_sp, rt.home_fs);
    __builtin_unreachable();
}

void sched_end_execution(enum outcome o)
{
    if (RT_UNLIKELY(rt.properties) && o == OUTCOME_COMPLETE && !rt.discarded)
        property_check();
    if (RT_UNLIKELY(rt.bug_in_execution) && o == OUTCOME_COMPLETE && rt.exiting < 0)
        sched_note_behind();
    rt.outcome = rt.discarded && o == OUTCOME_COMPLETE ? OUTCOME_ASSUME : o;
    rt.over = true;
    leave_for_home();
    __builtin_unreachable();
}

static void describe_waiting(struct finding *f)
{
    TSET_FOR(t, &rt.live)
        sync_describe_wait(f, &rt.all[t]);
}

/* Nobody can go on. */
static __attribute__((noinline)) void stuck(void)
{
    bool spinning = false, on_lock = false;
    if (rt.discarded)
        sched_end_execution(OUTCOME_ASSUME);
    if (rt.behind)
        sched_end_execution(rt.behind);
    if ((rt.awaits && !await_for_ever()) || cancel_put_off())
        sched_end_execution(OUTCOME_WAITING);
    if (rt.failed)
        sched_end_execution(OUTCOME_COMPLETE);
    TSET_FOR(t, &rt.live) {
        const struct event *op = &rt.next[t];
        bool pending = rt.all[t].state == THREAD_PENDING;
        spinning |= pending && (op->flags & EVENT_SPINNING) && !rt.all[t].block;
        spinning |= await_try_stands(&rt.all[t]);
        on_lock |= sync_waits_for_lock(&rt.all[t]);
    }
    if (rt.main_done && !spinning && !on_lock) { /* threads of a pool that wait for work: the process ends */
        finding_warn(rt.next[tset_first(&rt.live)].pc,
                     "%d thread%s still blocked when the program ended", tset_count(&rt.live),
                     tset_count(&rt.live) == 1 ? " was" : "s were");
        thread_finish_program();
    }
    int first = tset_first(&rt.live);
    struct finding *f =
        spinning ? finding_new(FINDING_LIVELOCK, rt.next[first].pc, 0,
                               "livelock: every thread left is blocked or spins on values that "
                               "nobody will change")
                 : finding_new(FINDING_DEADLOCK, rt.next[first].pc, 0,
                               "deadlock: no thread can go on");
    f->thread = (uint16_t)first;
    rt.engine.stuck = true;
    describe_waiting(f);
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

static struct decision decision(const struct tset *offered)
{
    return (struct decision){.enabled = offered,
                             .next = rt.next,
                             .live = &rt.live,
                             .last = rt.last,
                             .threads = rt.threads};
}

/* The last step of a prefix is new. Engines that reverse races foresee from events alone that its
 * thread can go on; readiness of descriptors, for one, may have it otherwise. Or it was the last before one
 * that was taken back, and by what is known now its thread waits there already. */
static __attribute__((noinline)) int unforeseen(int thread)
{
    struct decision d = decision(&rt.enabled);
    if (rt.trace->known > rt.trace->event_count) {
        rt.trace->known = rt.trace->event_count;
        if (rt.coverage)
            coverage_begin(rt.coverage);
    }
    if (!rt.strategy->refused)
        finding_incomplete("engine %s cannot foresee when thread %d can go on (--engine dfs can)",
                           engine_name(rt.strategy), thread);
    int pick = rt.strategy->refused ? rt.strategy->refused(&rt.engine, &d) : ENGINE_ABANDON;
    if (pick == ENGINE_ABANDON)
        sched_end_execution(OUTCOME_ABANDONED);
    return pick;
}

static int pick_from_prefix(void)
{
    struct trace *t = rt.trace;
    struct step *s = &t->steps[t->step_count];
    if (s->branch || (t->known && s->event != t->event_count)) {
        if (s->branch == STEP_ROUND)
            round_ends(s->pick);
        record_diverged("the program came to a decision earlier or later than before", rt.current);
    }
    if (s->pick >= rt.threads || !tset_has(&rt.enabled, s->pick)) {
        bool last = t->step_count + 1 == t->prefix;
        if (last && !rt.strategy->follows)
            return unforeseen(s->pick);
        if (rt.awaits && !last && await_goes_on(s->pick))
            return s->pick;
        record_diverged("the thread that went on here before cannot go on now", s->pick);
    }
    return s->pick;
}

/* The threads among which the engine may choose: usually all that are enabled. */
static const struct tset *offered(struct tset *some)
{
    if (sched_only_looks()) { /* one order is enough */
        tset_add(some, tset_first(&rt.enabled));
        return some;
    }
    if (RT_LIKELY(!rt.atomics) || rt.atomic_thread < 0 ||
        !tset_has(&rt.enabled, rt.atomic_thread))
        return &rt.enabled;
    tset_add(some, rt.atomic_thread);
    return some;
}

static __attribute__((noreturn, cold)) void stops_here(int answer)
{
    if (answer == ENGINE_ROUND)
        round_ends(rt.engine.round);
    ensure(answer == ENGINE_ABANDON);
    sched_end_execution(OUTCOME_ABANDONED);
}

static int pick_from_engine(void)
{
    struct tset some = {{0}};
    struct decision d = decision(offered(&some));
    int pick = rt.strategy->choose(&rt.engine, &d);
    if (RT_UNLIKELY(pick < 0))
        stops_here(pick);
    return pick;
}

/* Threads that wait in loops for what plain accesses have changed meanwhile: a race not yet seen. */
static bool wake_overlooked(void)
{
    if (rt.awaits)
        await_reconsider();
    TSET_FOR(t, &rt.live) {
        struct thread *th = &rt.all[t];
        if (th->await.state || th->round.fact || th->state != THREAD_PENDING || th->block ||
            !(rt.next[t].flags & EVENT_SPINNING) || !spin_overlooked(th))
            continue;
        rt.next[t].flags &= (uint8_t)~EVENT_SPINNING;
        if (!th->waits || sync_ready(th))
            tset_add(&rt.enabled, t);
    }
    return !tset_empty(&rt.enabled);
}

/* Nobody can go on by himself. Does anybody without a decision? */
static __attribute__((noinline)) bool nobody_goes_on(void)
{
    if (tset_empty(&rt.live))
        thread_finish_program();
    if (RT_UNLIKELY(rt.put_off) && orbit_start_others())
        return true;
    if (rt.exiting >= 0 && !sync_anybody_waits_for_ended())
        sched_run_local(rt.exiting);
    else if (!signals_time_passes() && !wake_overlooked() &&
             !(rt.awaits && (rt.strategy->endless || rt.strategy->follows) && !await_for_ever() &&
               await_let_go()))
        stuck();
    return rt.run_count;
}

static inline int run_locally(void)
{
    int next = rt.run_stack[--rt.run_count];
    rt.all[next].state = THREAD_LOCAL;
    return next;
}

/* A step: who goes on now? Called on the stack of any thread, or of one that has ended. */
static __attribute__((noinline)) int decide(void)
{
    if (RT_UNLIKELY(rt.reconsider))
        await_reconsider();
    if (RT_UNLIKELY(rt.properties))
        property_check();
    if (RT_UNLIKELY(tset_empty(&rt.enabled)) && nobody_goes_on())
        return run_locally();
    record_check_bounds();
    int next =
        rt.trace->step_count < rt.trace->prefix ? pick_from_prefix() : pick_from_engine();
    record_step((uint32_t)next, 0);
    rt.last = next;
    rt.all[next].state = THREAD_LOCAL;
    tset_remove(&rt.enabled, next);
    return next;
}

static void go_on(void)
{
    switch_to(rt.run_count ? run_locally() : decide());
    if (RT_UNLIKELY(rt.watched))
        debugger_step();
}

/* Signals and cancellation first; what they do may announce operations of its own. */
static __attribute__((noinline)) void attend(struct event *op, bool waits)
{
    struct event announced = *op;
    rt.self->attention = false;
    cancel_attend(!waits);
    signals_attend();
    *op = announced;
    if (cancel_acts(rt.self)) { /* a wait would end at once */
        rt.self->attention = true;
        if (waits || !rt.self->cancel_async)
            block_not_at_all();
    }
    if (cancel_any_time(rt.self)) {
        rt.self->attention = true;
        op->flags |= EVENT_CANCELLABLE;
    }
    if (rt.self->awaiting && op->kind != EV_AWAIT)
        spin_await();
}

/* The prefix goes on with the running thread, which can go on: the most frequent case. */
static inline bool stays(void)
{
    struct trace *t = rt.trace;
    const struct step *s = &t->steps[t->step_count];
    if (t->step_count >= t->prefix || s->pick != rt.current || s->branch ||
        s->event != t->event_count || rt.run_count)
        return false;
    rt_pulse();
    t->step_count++;
    rt.last = rt.current;
    return true;
}

static __attribute__((noinline, cold)) void note_stand(void)
{
    if (rt.captures)
        capture_stand();
    if (rt.recording)
        story_announce();
}

static __attribute__((noinline, cold)) void note_wait(void)
{
    if (rt.captures)
        capture_none();
    if (rt.recording)
        story_announce();
}

static inline void stand(struct thread *me, bool ready)
{
    me->enabled_by = 0;
    if (ready)
        tset_add(&rt.enabled, rt.current);
    me->state = THREAD_PENDING;
    if (RT_UNLIKELY(rt.noting))
        note_stand();
}

/* The running thread stands before its pending operation, on s if that can block; can it go on at
 * once? */
static inline bool announce(struct thread *me, struct event *op, const struct sync *s)
{
    if (RT_UNLIKELY(me->yielded)) {
        op->flags |= EVENT_YIELDED;
        me->yielded = false;
    }
    me->plain_streak = 0;
    bool ready = RT_LIKELY(!(op->flags & EVENT_SPINNING)) && (!s || sync_ready(me));
    if (RT_UNLIKELY(rt.atomics) && svcomp_within(op, ready))
        return true;
    if (ready && !RT_UNLIKELY(rt.watched | rt.atomics) && stays())
        return true;
    stand(me, ready);
    return false;
}

static void others_go_on(void);

/* Something happened to the running thread while it stood before its operation. */
static __attribute__((noinline)) void let_go_on(void)
{
    struct thread *me = rt.self;
    struct event *op = &rt.next[rt.current];
    op->match = me->enabled_by;
    if (me->interrupted && cancel_now_or_later()) {
        stand(me, true);
        others_go_on();
    }
}

static __attribute__((noinline)) void others_go_on(void)
{
    go_on();
    if (RT_UNLIKELY(rt.self->enabled_by | rt.self->interrupted))
        let_go_on();
}

/* When there is more to look at than whose turn it is. */
static __attribute__((noinline)) void visit_slowly(void)
{
    struct event *op = &rt.next[rt.current];
    if (rt.self->attention)
        attend(op, false);
    if (!announce(rt.self, op, NULL))
        others_go_on();
}

void sched_visit(void)
{
    struct thread *me = rt.self;
    if (RT_UNLIKELY((me->attention | me->yielded | rt.watched | rt.atomics | rt.recording) ||
                    (rt.next[rt.current].flags & EVENT_SPINNING))) {
        visit_slowly();
        return;
    }
    me->plain_streak = 0;
    if (stays())
        return;
    stand(me, true);
    others_go_on();
}

void sched_visit_blocking(struct sync *s)
{
    struct thread *me = rt.self;
    struct event *op = &rt.next[rt.current];
    if (RT_UNLIKELY(me->attention))
        attend(op, true);
    me->waits = s;
    if (!announce(me, op, s)) {
        tset_add(&s->waiters, rt.current);
        go_on();
        op->match = me->enabled_by;
        tset_remove(&s->waiters, rt.current);
    }
    me->waits = NULL;
    if (RT_UNLIKELY(me->interrupted) && me->cancel_async && cancel_acts(me))
        cancel_now(op->pc);
}

void sched_park(struct thread *t)
{
    t->state = THREAD_PARKED;
    rt.next[t->id].kind = EV_NONE;
}

void sched_wait_local(enum thread_state state)
{
    rt.self->state = state;
    if (RT_UNLIKELY(rt.noting))
        note_wait();
    if (state == THREAD_PARKED)
        sched_park(rt.self);
    go_on();
}

void sched_wait_parked(struct sync *s, uint64_t pc)
{
    sched_op(EV_NONE, s ? s->address : 0, 0, pc);
    rt.self->waits = s;
    sched_wait_local(THREAD_PARKED);
    rt.self->waits = NULL;
}

void sched_yielded(uint64_t pc)
{
    rt.self->yielded = true;
    if (RT_LIKELY(!rt.rounds))
        spin_yielded(pc);
}

void sched_wake_spinners(uint64_t object, uint32_t size, bool only_free)
{
    for (struct thread *th = rt.all; th < rt.all + rt.threads; th++) {
        if (RT_LIKELY(!th->spin_pc) || th == rt.self)
            continue;
        struct event *op = &rt.next[th->id];
        if (!spin_made_stale(th, object, size, only_free) || th->await.state || th->round.fact ||
            th->state != THREAD_PENDING || !(op->flags & EVENT_SPINNING) || th->block)
            continue;
        op->flags &= (uint8_t)~EVENT_SPINNING;
        if (!th->waits || sync_ready(th)) {
            th->enabled_by = sched_event_now();
            tset_add(&rt.enabled, th->id);
        }
    }
}

void sched_reset(void)
{
    rt.enabled = rt.live = rt.blocked = (struct tset){{0}};
    rt.threads = 0;
    rt.last = 0; /* main runs */
    rt.run_count = rt.held = 0;
    rt.over = rt.redo = rt.main_done = rt.finishing = false;
    rt.bug_in_execution = rt.discarded = rt.failed = rt.engine.only_looks = false;
    rt.in_call = NULL;
    rt.engine.gave_up = (struct tset){{0}};
    rt.behind = OUTCOME_COMPLETE;
    rt.exit_status = 0;
    rt.exiting = -1;
    rt.engine.exits = 0;
    rt.engine.returned = rt.engine.stuck = false;
    rt.suspects = rt.any_time = false;
    rt.trace->step_count = rt.trace->event_count = 0;
    rt.step_limit = rt.shared->config.max_steps < rt.trace->step_room - 2
                        ? rt.shared->config.max_steps
                        : rt.trace->step_room - 2;
}
