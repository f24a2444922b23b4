/* The conventions of the software verification competition: __VERIFIER_nondet_* give inputs,
 * __VERIFIER_assume drops executions (exit.c), reach_error is a failed assertion, and no other thread runs
 * between __VERIFIER_atomic_begin and _end or inside a function named __VERIFIER_atomic_*.
 *
 * Such functions tell when they begin and end (cc/asm_text.c).
 * All of a section is one step, unless it waits for something, when others have to go on. Engines that
 * move events around know sections that only access memory (object/section.h); for all else the search
 * goes over to one that does not move any. */
#include "rt/abi/svcomp.h"
#include "rt/sym/sym.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/record.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t all; /* stands for all sections: their order is told by accesses to it */
static int depth[EVENT_MAX_THREADS]; /* sections that a thread is in, one inside the other */

void svcomp_reset(void)
{
    rt.atomic_thread = -1;
    if (RT_UNLIKELY(rt.atomics))
        rt_fill(depth, 0, sizeof depth);
}

static struct sync *all_sections(void)
{
    return sync_get((uintptr_t)&all, SYNC_MUTEX);
}

enum { SIMPLE_BYTES = 256 }; /* of an access */

static bool is_simple(const struct event *op)
{
    return event_class(op->kind) <= CLASS_RMW && operation_of(op->kind)->object == OBJECT_MEMORY &&
           !operation_is(op->kind, OP_EVERYWHERE) && op->size <= SIMPLE_BYTES &&
           !(op->flags & (EVENT_SPUN | EVENT_SPINNING | EVENT_TIMED | EVENT_CANCELLABLE));
}

/* The section is more than the engine knows: op is in it. NULL: a choice. */
static void need_plain_engine(const struct event *op)
{
    struct shared *s = rt.shared;
    const struct engine_class *e = rt.strategy;
    bool alone = s->config.jobs <= 1 && !s->config.farm;
    if (e->follows || e->plain || (e->sections && alone && op && is_simple(op)))
        return;
    rt_format(s->instead, sizeof s->instead, "%s", !strcmp(s->config.engine, "auto") ? "icb" : "dfs");
    finding_warn(rt.next[rt.current].pc, "the program has atomic sections%s: explored by engine %s",
                 e->sections && alone ? " that do more than access memory" : "", s->instead);
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}

static void begin(void)
{
    need_plain_engine(&rt.next[rt.current]);
    rt.atomic_thread = rt.current;
    sync_acquire(all_sections());
    sched_log_only(&(struct event){.kind = EV_SECTION, .thread = (uint16_t)rt.current,
                                   .object = (uintptr_t)&all, .size = sizeof all,
                                   .pc = rt.next[rt.current].pc});
}

bool svcomp_within(const struct event *op, bool ready)
{
    if (rt.atomic_thread != rt.current)
        return false;
    need_plain_engine(ready ? op : NULL);
    if (!ready || rt.run_count)
        return false;
    record_check_bounds();
    return true;
}

void svcomp_chooses(void)
{
    need_plain_engine(NULL);
}

static void enter(uint64_t pc)
{
    if (!rt.active)
        return;
    rt.atomics = true;
    rt.repeats = 0;
    if (depth[rt.current]++)
        return;
    sched_op(EV_SECTION, (uintptr_t)&all, sizeof all, pc);
    sched_visit();
    begin();
}

static void leave(void)
{
    if (!rt.active || !depth[rt.current] || --depth[rt.current] || rt.atomic_thread != rt.current)
        return;
    sync_release(all_sections());
    rt.atomic_thread = -1;
}

void __VERIFIER_atomic_begin(void);
RT_EXPORT void __VERIFIER_atomic_begin(void)
{
    enter(RT_PC());
}

void __VERIFIER_atomic_end(void);
RT_EXPORT void __VERIFIER_atomic_end(void)
{
    leave();
}

char raddle_rt_section_begins(void);
RT_EXPORT char raddle_rt_section_begins(void)
{
    enter(RT_PC());
    return 0;
}

void raddle_rt_section_ends(char *unused);
RT_EXPORT void raddle_rt_section_ends(char *unused)
{
    leave();
}

/* ---- inputs ----------------------------------------------------------------------------------- */

static uint64_t input(bool boolean, uint64_t pc)
{
    const struct run_config *c = &rt.shared->config;
    if (boolean)
        return c->nondet ? (uint64_t)sched_choose(2, pc) : clock_random_word() & 1;
    if (c->nondet) {
        int n = c->nondet_high - c->nondet_low + 1;
        finding_incomplete("inputs outside of --nondet %d..%d were not tried", c->nondet_low,
                           c->nondet_high);
        return (uint64_t)(int64_t)(c->nondet_low + sched_choose(n, pc));
    }
    uint64_t x = clock_random_word();
    return x & 1 ? x >> 1 & 7 : x >> 1; /* small ones matter most */
}

static bool has_symbolic_inputs(void)
{
    return sym || rt.shared->config.inputs[0];
}

#define IS_SIGNED(type) ((type)-1 < (type)1)
#define IS_WHOLE(type) ((type)0.5 == (type)0) /* neither float nor double */

static uint64_t any_value(const char *name, size_t size, bool is_signed, bool whole, bool boolean,
                          uint64_t pc)
{
    if (!rt.active)
        return 0;
    if (whole && has_symbolic_inputs())
        return sym_any_value(name, (unsigned)size, is_signed, boolean, pc);
    if (!rt.shared->config.nondet)
        finding_incomplete("inputs were drawn with the seed (--nondet explores them)");
    return input(boolean, pc);
}

#define NONDET(type, name, boolean)                                                                \
    type __VERIFIER_nondet_##name(void);                                                           \
    RT_EXPORT type __VERIFIER_nondet_##name(void)                                                  \
    {                                                                                              \
        return (type)any_value("nondet_" #name, sizeof(type), !(boolean) && IS_SIGNED(type),       \
                               (boolean) || IS_WHOLE(type), boolean, RT_PC());                     \
    }
NONDET(bool, bool, true)
NONDET(bool, _Bool, true)
NONDET(char, char, false)
NONDET(signed char, schar, false)
NONDET(unsigned char, uchar, false)
NONDET(unsigned char, unsigned_char, false)
NONDET(unsigned char, u8, false)
NONDET(short, short, false)
NONDET(unsigned short, ushort, false)
NONDET(unsigned short, u16, false)
NONDET(int, int, false)
NONDET(unsigned, uint, false)
NONDET(unsigned, unsigned, false)
NONDET(unsigned, unsigned_int, false)
NONDET(unsigned, u32, false)
NONDET(long, long, false)
NONDET(unsigned long, ulong, false)
NONDET(long long, longlong, false)
NONDET(unsigned long long, ulonglong, false)
NONDET(size_t, size_t, false)
NONDET(long, loff_t, false)
NONDET(unsigned long, sector_t, false)
NONDET(unsigned long, pthread_t, false)
NONDET(float, float, false)
NONDET(double, double, false)

#define NONDET_POINTER(type, name)                                                                 \
    type *__VERIFIER_nondet_##name(void);                                                          \
    RT_EXPORT type *__VERIFIER_nondet_##name(void)                                                 \
    {                                                                                              \
        return (type *)any_value("nondet_" #name, sizeof(type *), false, true, false, RT_PC());    \
    }
NONDET_POINTER(void, pointer)
NONDET_POINTER(char, pchar)

void __VERIFIER_nondet_memory(void *object, size_t size);
RT_EXPORT void __VERIFIER_nondet_memory(void *object, size_t size)
{
    sym_input_bytes(object, size, "nondet_memory", false, RT_PC());
}

/* ---- verdicts --------------------------------------------------------------------------------- */

void raddle_rt_assume_fail(void);
void __VERIFIER_assume(int condition);
RT_EXPORT void __VERIFIER_assume(int condition)
{
    if (!condition)
        raddle_rt_assume_fail();
}

static void error_reached(uint64_t pc)
{
    if (!rt.active) {
        fputs("reach_error() was called\n", stderr);
        syscall(SYS_exit_group, 1);
    }
    finding_commit(finding_new(FINDING_ASSERT, pc, 0, "reach_error() was called"));
    sched_fail();
}

void __VERIFIER_error(void);
RT_EXPORT void __VERIFIER_error(void)
{
    error_reached(RT_PC());
}

void reach_error(void);
RT_EXPORT void reach_error(void)
{
    error_reached(RT_PC());
}
