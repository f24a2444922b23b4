/* Findings: composed in a scratch record, then stored in shared memory unless one of the same kind at
 * the same place is there already. The schedule so far is copied with it, so whatever happens next
 * the failure can be replayed. */
#include "rt/rt.h"

#include "rt/svcomp.h"

#include <stdarg.h>
#include <stdio.h>

static struct finding scratch;

/* Of the execution under way; those of engines with strides are numbered over all workers. */
static uint64_t number_now(void)
{
    const struct shared *s = rt.shared;
    uint64_t n = s->executions + s->blocked;
    return rt.strategy->strides && s->config.jobs > 1 ? n * s->config.jobs + s->exchange.member + 1 : n + 1;
}

struct finding *finding_new(enum finding_kind kind, uint64_t pc, uint64_t object, const char *fmt,
                            ...)
{
    struct finding *f = &scratch;
    *f = (struct finding){.kind = kind,
                          .thread = (uint16_t)rt.current,
                          .pc = pc,
                          .object = object,
                          .at_step = rt.trace->step_count,
                          .at_event = rt.trace->event_count,
                          .execution = number_now(),
                          .racy_count = rt.racy_in_effect,
                          .seen = 1};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->message, sizeof f->message, fmt, ap);
    va_end(ap);
    return f;
}

void finding_fact(struct finding *f, int thread, uint64_t pc, uint64_t object, const char *fmt, ...)
{
    if (f->fact_count == FINDING_FACTS)
        return;
    struct fact *fact = &f->facts[f->fact_count++];
    fact->thread = (uint16_t)thread;
    fact->pc = pc;
    fact->object = object;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(fact->text, sizeof fact->text, fmt, ap);
    va_end(ap);
}

static bool same_place(const struct finding *f, uint32_t kind, uint64_t pc, uint64_t pc2)
{
    if (f->kind != kind)
        return false;
    return (f->pc == pc && f->pc2 == pc2) ||
           (kind == FINDING_RACE && f->pc == pc2 && f->pc2 == pc);
}

static bool is_bug(const struct finding *f)
{
    return f->kind != FINDING_LEAK &&
           !(f->kind == FINDING_RACE && rt.shared->config.races != RACES_STOP);
}

static void keep_schedule(struct finding *f)
{
    struct trace *t = rt.trace;
    f->step_count = t->step_count;
    f->steps = arena_alloc(&rt.shared->finding_arena, t->step_count * sizeof *f->steps);
    if (f->steps)
        rt_copy(f->steps, t->steps, t->step_count * sizeof *f->steps);
    else
        f->step_count = 0;
}

void finding_commit(struct finding *f)
{
    struct shared *s = rt.shared;
    if (rt.discarded)
        return;
    if (is_bug(f))
        rt.bug_in_execution = true;
    if (rt.recording)
        story_finding(f);
    if (s->config.gdb && !s->config.until_step && f->kind != FINDING_RACE)
        raddle_stopped();
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (same_place(&s->findings[i], f->kind, f->pc, f->pc2)) {
            s->findings[i].seen++;
            return;
        }
    if (s->finding_count == SHARED_FINDINGS)
        return;
    keep_schedule(f);
    s->findings[s->finding_count] = *f;
    s->finding_count++;
}

void finding_warn(uint64_t pc, const char *fmt, ...)
{
    struct shared *s = rt.shared;
    for (uint32_t i = 0; i < s->warning_count; i++)
        if (s->warnings[i].pc == pc)
            return;
    if (s->warning_count == SHARED_WARNINGS)
        return;
    s->warnings[s->warning_count].pc = pc;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->warnings[s->warning_count].text, sizeof s->warnings[0].text, fmt, ap);
    va_end(ap);
    s->warning_count++;
}

void finding_incomplete(const char *fmt, ...)
{
    struct shared *s = rt.shared;
    if (s->incomplete[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->incomplete, sizeof s->incomplete, fmt, ap);
    va_end(ap);
}

void finding_promote(uintptr_t pc)
{
    struct shared *s = rt.shared;
    if (rt.strategy->follows)
        return;
    for (uint32_t i = 0; i < s->racy_count; i++)
        if (s->racy[i] == pc)
            return;
    if (s->racy_count == SHARED_RACY) {
        finding_incomplete("more than %d accesses take part in data races", SHARED_RACY);
        return;
    }
    s->racy[s->racy_count++] = pc;
    rt.new_racy = true;
}

/* A race seen before, in a run that has no other use for it than counting; saves composing it. */
static bool counted(uintptr_t pc, uintptr_t other_pc)
{
    struct shared *s = rt.shared;
    if (rt.recording || s->config.races == RACES_STOP)
        return false;
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (same_place(&s->findings[i], FINDING_RACE, pc, other_pc)) {
            s->findings[i].seen++;
            return true;
        }
    return s->finding_count == SHARED_FINDINGS;
}

void finding_race(uintptr_t address, uint32_t size, uintptr_t pc, bool write, int other_thread,
                  uintptr_t other_pc, bool other_write)
{
    finding_promote(pc);
    finding_promote(other_pc);
    if (rt.atomics && svcomp_in_function(pc) && svcomp_in_function(other_pc))
        return; /* in atomic sections, whose order is known only if they have a scheduling point */
    if (rt.discarded || rt.shared->config.races == RACES_OFF || counted(pc, other_pc))
        return;
    struct finding *f =
        finding_new(FINDING_RACE, pc, address, "data race on {}: %s and %s, not ordered",
                    other_write ? "a write" : "a read", write ? "a write" : "a read");
    f->pc2 = other_pc;
    finding_fact(f, other_thread, other_pc, address, "%s {}", other_write ? "wrote" : "read");
    finding_fact(f, rt.current, pc, address, "%s %u byte%s of {}", write ? "writes" : "reads", size,
                 size == 1 ? "" : "s");
    finding_commit(f);
    if (rt.shared->config.races == RACES_STOP)
        sched_end_execution(OUTCOME_COMPLETE);
}
