/* Findings: composed in a scratch record, then stored in shared memory unless one of the same kind at
 * the same place is there already. The schedule so far is copied with it, so whatever happens next
 * the failure can be replayed. */
#include "rt/check/finding.h"

#include "rt/check/benign.h"
#include "rt/check/racy.h"
#include "rt/core/await_reads.h"
#include "rt/core/sched.h"
#include "rt/posix/process_state.h"
#include "rt/tell/debugger.h"
#include "rt/tell/story.h"


#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct finding scratch;

/* Of the execution under way; those of engines with strides are numbered over all workers. */
static uint64_t number_now(void)
{
    const struct shared *s = rt.shared;
    uint64_t n = s->executions + s->blocked;
    return rt.strategy->strides && s->config.farm ? s->exchange.range_first + n + 1
           : rt.strategy->strides && s->config.jobs > 1 ? n * s->config.jobs + s->exchange.member + 1 : n + 1;
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
    for (char *c = f->message; *c; c++) /* one line, also where the program's own words are in it */
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    return f;
}

struct fact *finding_fact(struct finding *f, enum fact_kind kind, int thread, uint64_t pc, uint64_t object)
{
    static struct fact beyond; /* there is no room: the last one counts them */
    struct fact *fact = &beyond, *last = &f->facts[FINDING_FACTS - 1];
    if (f->fact_count < FINDING_FACTS)
        fact = &f->facts[f->fact_count++];
    else
        *last = (struct fact){.kind = FACT_MORE, .thread = last->thread,
                              .number = last->kind == FACT_MORE ? last->number + 1 : 2};
    *fact = (struct fact){.kind = (uint16_t)kind, .thread = (uint16_t)thread, .pc = pc, .object = object};
    return fact;
}

struct fact *finding_fact_about(struct finding *f, enum fact_kind kind, int thread, uint64_t pc,
                                uint64_t object, const char *word)
{
    struct fact *fact = finding_fact(f, kind, thread, pc, object);
    rt_format(fact->word, sizeof fact->word, "%s", word);
    return fact;
}

static bool is_bug(const struct finding *f)
{
    return f->kind != FINDING_LEAK &&
           !(f->kind == FINDING_RACE && rt.shared->config.races != RACES_STOP);
}

static void keep_schedule(struct finding *f)
{
    struct trace *t = rt.trace;
    f->steps = arena_alloc(&rt.shared->finding_arena, t->step_count * sizeof *f->steps);
    for (uint32_t i = 0; i < t->step_count && f->steps; i++)
        if (!(t->steps[i].branch & STEP_SYMBOLIC)) /* with the inputs given there are no such branches */
            f->steps[f->step_count++] = t->steps[i];
    if (f->steps)
        f->at_step = f->step_count;
}

/* The same, as it was found before. */
static struct finding *known(const struct finding *f)
{
    struct shared *s = rt.shared;
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (finding_same(finding_id(&s->findings[i]), finding_id(f)))
            return &s->findings[i];
    return NULL;
}

/* What can be explained by a call that was refused is told, but is no finding. */
static bool explained(const struct finding *f)
{
    const char *call = process_refused_before((enum finding_kind)f->kind);
    if (!call)
        return false;
    finding_warn(f->pc, "%s; this may follow from %s() having failed, which raddle does not perform: no "
                 "finding", f->message, call);
    return true;
}

void finding_commit(struct finding *f)
{
    struct shared *s = rt.shared;
    if (explained(f))
        return;
    struct finding *same = known(f);
    if (rt.failed && !same)
        finding_limit(LIMIT_BEHIND, 0);
    if (rt.discarded || rt.failed)
        return;
    if (is_bug(f))
        rt.bug_in_execution = true;
    if (rt.recording)
        story_finding(f);
    debugger_finding(f);
    if (same) {
        same->seen++;
        return;
    }
    if (s->finding_count == SHARED_FINDINGS) {
        shared_lose(s, finding_id(f));
        return;
    }
    keep_schedule(f);
    rt_copy(s->finding_inputs[s->finding_count], s->inputs_now, sizeof s->inputs_now);
    s->findings[s->finding_count] = *f;
    s->finding_count++;
}

void finding_warn(uint64_t pc, const char *fmt, ...)
{
    struct shared *s = rt.shared;
    for (uint32_t i = 0; i < s->warning_count; i++)
        if (s->warnings[i].pc == pc)
            return;
    if (s->warning_count == SHARED_WARNINGS) {
        finding_limit(LIMIT_WARNINGS, SHARED_WARNINGS);
        return;
    }
    s->warnings[s->warning_count].pc = pc;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->warnings[s->warning_count].text, sizeof s->warnings[0].text, fmt, ap);
    va_end(ap);
    s->warning_count++;
}

/* What was said already, by the words it is said with; asked at every such operation. It counts as said
 * only when it is: libc's functions may use thread-local storage for the first time, and then the
 * execution begins again. */
static const char *said[32];
static bool said_before(const char *fmt)
{
    for (int i = 0; i < 32 && said[i]; i++)
        if (said[i] == fmt)
            return true;
    return false;
}

static void now_said(const char *fmt)
{
    for (int i = 0; i < 32; i++)
        if (!said[i]) {
            said[i] = fmt;
            return;
        }
}

void finding_incomplete(const char *fmt, ...)
{
    static const char more[] = "; and more";
    char text[200], *all = rt.shared->incomplete;
    size_t used = strlen(all), room = sizeof rt.shared->incomplete;
    if (said_before(fmt))
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!strstr(all, text) && used + strlen(text) + sizeof more + 3 < room)
        rt_format(all + used, room - used, "%s%s", used ? "; " : "", text);
    else if (!strstr(all, text) && !strstr(all, more))
        rt_format(all + used, room - used, "%s", more);
    now_said(fmt);
}

void finding_limit(enum limit_kind which, uint64_t at)
{
    if (rt.shared)
        limit_reached(&rt.shared->limits, which, at);
}

static __attribute__((noinline, cold)) void new_place(uintptr_t pc)
{
    struct shared *s = rt.shared;
    if (!pc)
        return;
    if (s->racy_count == SHARED_RACY) {
        finding_limit(LIMIT_RACY, SHARED_RACY);
        return;
    }
    s->racy[s->racy_count++] = pc;
    rt.new_racy = true;
}

static void promote(uintptr_t pc)
{
    if (racy_place(pc) == SHARED_RACY)
        new_place(pc);
}

void finding_promote(uintptr_t pc)
{
    if (!rt.strategy->follows)
        promote(pc);
}

/* A race seen before, in a run that has no other use for it than counting; saves composing it. */
static bool counted(uintptr_t pc, uintptr_t other_pc)
{
    struct shared *s = rt.shared;
    if (rt.recording || s->config.races == RACES_STOP)
        return false;
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (finding_same(finding_id(&s->findings[i]), (struct finding_id){FINDING_RACE, pc, other_pc})) {
            s->findings[i].seen++;
            return true;
        }
    if (s->finding_count < SHARED_FINDINGS)
        return false;
    shared_lose(s, (struct finding_id){FINDING_RACE, pc, other_pc});
    return true;
}

void finding_race(uintptr_t address, uint32_t size, uintptr_t pc, bool write, int other_thread,
                  uintptr_t other_pc, bool other_write)
{
    if (!rt.strategy->follows) {
        promote(pc);
        promote(other_pc);
    }
    if (rt.shared->config.races == RACES_OFF || rt.discarded || benign_has(address, size) ||
        counted(pc, other_pc))
        return;
    if (!other_pc) {
        await_reads_raced(address, size);
        return;
    }
    struct finding *f =
        finding_new(FINDING_RACE, pc, address, "data race on {}: %s and %s, not ordered",
                    other_write ? "a write" : "a read", write ? "a write" : "a read");
    f->pc2 = other_pc;
    finding_fact(f, other_write ? FACT_HAS_WRITTEN : FACT_HAS_READ, other_thread, other_pc, address);
    finding_fact(f, write ? FACT_WRITES : FACT_READS, rt.current, pc, address)->number = size;
    finding_commit(f);
    if (rt.shared->config.races == RACES_STOP)
        sched_end_execution(OUTCOME_COMPLETE);
}
