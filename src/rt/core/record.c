/* What a thread has performed is appended to the trace, and compared with what was there if a schedule is
 * repeated; choices within an operation are steps too. */
#include "rt/core/record.h"

#include "rt/check/finding.h"
#include "rt/core/capture.h"
#include "rt/core/halfway.h"
#include "rt/core/orbit.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/tell/story.h"

#include "rt/abi/svcomp.h"

__attribute__((noinline)) void record_too_long(void)
{
    if (!rt.engine.aside)
        finding_limit(rt.failed ? LIMIT_BEHIND : rt.exiting < 0 ? LIMIT_STEPS : LIMIT_EXITING,
                      rt.trace->step_count);
    if (rt.captures)
        capture_too_long();
    sched_end_execution(OUTCOME_BOUND);
}

#define TOLD 8 /* threads of which it is said where they were cut */

static void tell_cut(int thread, uint64_t pc)
{
    finding_warn(pc, "thread %d was here when an execution was cut (--max-steps)", thread);
}

void record_tell_cut(void)
{
    static bool done;
    const struct shared *s = rt.shared;
    const struct trace *t = rt.trace;
    if (rt.outcome != OUTCOME_BOUND || !(s->limits.reached >> LIMIT_STEPS & 1) || done ||
        !t->event_count || t->step_count < s->limits.at[LIMIT_STEPS])
        return;
    const struct event *last = &t->events[t->event_count - 1];
    int told = 0;
    done = true;
    if (!tset_has(&s->unfinished, last->thread))
        tell_cut(last->thread, last->pc);
    TSET_FOR(thread, &s->unfinished)
        if (s->pending[thread].pc && told++ < TOLD)
            tell_cut(thread, s->pending[thread].pc);
}

__attribute__((noinline)) void record_diverged(const char *what, int thread)
{
    struct shared *s = rt.shared;
    if (!s->divergence[0])
        rt_format(s->divergence, sizeof s->divergence, "step %u, thread %d: %s",
                  rt.trace->step_count, thread, what);
    sched_end_execution(OUTCOME_DIVERGED);
}

static inline bool same_event(const struct event *a, const struct event *b, uint64_t head)
{
    return !(((a->head ^ head) & ~EVENT_HEAD_FLAGS) | (a->object ^ b->object) | (a->pc ^ b->pc) |
             (a->size ^ b->size));
}

static __attribute__((noinline, noreturn)) void other_event(const struct event *slot, unsigned kind,
                                                            uint64_t object, uint64_t pc)
{
    char what[300];
    rt_format(what, sizeof what, "%s of %#lx at pc %#lx instead of %s of %#lx at pc %#lx", event_name(kind),
              object, pc, event_name(slot->kind), slot->object, slot->pc);
    record_diverged(what, rt.current);
}

/* For --coverage and --lcov. */
static void __attribute__((noinline, cold)) count(const struct event *slot)
{
    if (rt.coverage)
        coverage_observe(rt.coverage, slot);
    if (rt.places)
        places_observe(rt.places, rt.trace, slot);
}

static void __attribute__((noinline, cold)) heed(const struct event *slot)
{
    if (rt.recording)
        story_event(slot);
    if (rt.orbits)
        orbit_heed(slot);
}

static inline void append(const struct event *op)
{
    struct trace *t = rt.trace;
    uint32_t n = t->event_count++;
    uint64_t head = (op->head & ~EVENT_HEAD_INDEX) | (uint64_t)rt.self->events++ << 32;
    struct event *slot = &t->events[n];
    if (n < t->known) {
        if (RT_UNLIKELY(!same_event(slot, op, head))) /* without *op, which would have to be in memory */
            other_event(slot, op->kind, op->object, op->pc);
        slot->head = head;
        slot->value = op->value;
        slot->other = op->other;
    } else {
        event_copy(slot, op);
        slot->head = head;
        if (rt.strategy->observe)
            rt.strategy->observe(&rt.engine, slot);
        if (RT_UNLIKELY(rt.counting))
            count(slot);
    }
    if (RT_UNLIKELY(rt.heeds))
        heed(slot);
}

void sched_log(const struct event *op)
{
    spin_performed(op);
    append(op);
}

void sched_log_only(const struct event *op)
{
    append(op);
}

static void log_local(const struct event *op)
{
    struct trace *t = rt.trace;
    if (RT_UNLIKELY(t->event_count + 2 >= t->event_room)) {
        finding_limit(LIMIT_EVENTS, t->event_count);
        sched_end_execution(OUTCOME_BOUND);
    }
    append(op);
}

void sched_log_local(enum event_kind kind, uint64_t object, uint64_t value, uint64_t other,
                     uint64_t pc)
{
    log_local(&(struct event){.head = EVENT_HEAD(kind, (uint16_t)rt.current),
                              .object = object,
                              .value = value,
                              .other = other,
                              .pc = pc});
}

void sched_log_followed(enum event_kind kind, uint64_t object, uint64_t value, uint64_t other,
                        uint64_t pc)
{
    log_local(&(struct event){.head = EVENT_HEAD(kind, (uint16_t)rt.current),
                              .match = rt.self->enabled_by,
                              .object = object,
                              .value = value,
                              .other = other,
                              .pc = pc});
}

int sched_branch(const struct event *op, int n)
{
    struct trace *t = rt.trace;
    int value;
    if (n <= 1 || sched_only_looks())
        return 0;
    halfway_point();
    if (RT_UNLIKELY(rt.atomics) && rt.atomic_thread == rt.current)
        svcomp_chooses();
    record_check_bounds();
    if (t->step_count < t->prefix) {
        const struct step *s = &t->steps[t->step_count];
        if (s->branch != n)
            record_diverged("a choice has another number of possible values than before", rt.current);
        value = s->pick;
    } else {
        value = rt.strategy->branch(&rt.engine, op, n);
        if (RT_UNLIKELY(value == ENGINE_ABANDON))
            sched_end_execution(OUTCOME_ABANDONED);
    }
    record_step((uint32_t)value, (uint32_t)n);
    return value;
}

int sched_symbolic(int usual, uint64_t pc)
{
    struct trace *t = rt.trace;
    if (RT_UNLIKELY(rt.atomics) && rt.atomic_thread == rt.current)
        svcomp_chooses();
    record_check_bounds();
    if (t->step_count < t->prefix) {
        const struct step *s = &t->steps[t->step_count];
        if (!(s->branch & STEP_SYMBOLIC))
            record_diverged("a branch on an input came earlier or later than before", rt.current);
        t->step_count++;
        return s->pick;
    }
    struct event op = {.kind = EV_CHOOSE, .thread = (uint16_t)rt.current, .pc = pc};
    rt.engine.usual = usual;
    int value = rt.strategy->branch(&rt.engine, &op, STEP_SIDES);
    rt.engine.usual = 0;
    if (RT_UNLIKELY(value == ENGINE_ABANDON))
        sched_end_execution(OUTCOME_ABANDONED);
    if (RT_UNLIKELY(value == ENGINE_STAY))
        sched_leave_behind(OUTCOME_ABANDONED);
    record_step((uint32_t)value, STEP_SIDES);
    return value;
}
