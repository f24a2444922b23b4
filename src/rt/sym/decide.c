/* Branches on symbolic values: see sym.h. */
#include "rt/sym/sym.h"

#include "rt/abi/units.h"
#include "rt/check/finding.h"
#include "rt/core/execution.h"
#include "rt/core/sched.h"
#include "rt/core/restart.h"

#include "explore/places.h"
#include "rewrite/hooks.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct sym *sym;
extern char raddle_sym_built __attribute__((weak)); /* defined in every rewritten object */

static void choose_engine(void)
{
    struct shared *s = rt.shared;
    const char *name = s->instead[0] ? s->instead : s->config.engine;
    const struct engine_class *class = engine_find(name);
    if (class->inputs)
        return;
    finding_warn(0, "engine %s does not explore inputs: explored by engine optimal", name);
    rt_format(s->instead, sizeof s->instead, "optimal");
}

static int make_room(struct arena *a)
{
    sym->path = arena_alloc(a, SYM_CONDITIONS * sizeof *sym->path);
    sym->held = arena_alloc(a, SYM_CONDITIONS * sizeof *sym->held);
    sym->own = arena_alloc(a, (SYM_CONDITIONS + 2 * SYM_INPUTS) * sizeof *sym->own);
    sym->aside.path = arena_alloc(a, SYM_CONDITIONS * sizeof *sym->path);
    sym->aside.held = arena_alloc(a, SYM_CONDITIONS * sizeof *sym->held);
    sym->aside.bytes = arena_alloc(a, EXPR_INPUTS);
    if (rt.shared->config.save_tests[0])
        sym->tests = arena_alloc(a, 2 * SYM_TESTS * sizeof *sym->tests);
    if (rt.shared->config.save_tests[0] && !sym->tests)
        return -1;
    return sym->path && sym->held && sym->own && sym->aside.path && sym->aside.held && sym->aside.bytes
               ? 0
               : -1;
}

/* A replay: values get shadows, so that checks find them, and that is all. */
#define GIVEN_EXPRESSIONS (1u << 16)
static void follow_given(void)
{
    struct shared *s = rt.shared;
    sym = s->symbolic = arena_alloc(&s->arena, sizeof *sym);
    if (!sym)
        return;
    sym->given = true;
    sym->aside.bytes = arena_alloc(&s->arena, EXPR_INPUTS);
    if (!sym->aside.bytes || exprs_init(&sym->solver.x, &s->arena, GIVEN_EXPRESSIONS))
        sym = s->symbolic = NULL;
}

void sym_begin_engine(void)
{
    struct shared *s = rt.shared;
    if (!&raddle_sym_built)
        return;
    bool given = s->config.inputs[0] || engine_find(s->config.engine)->follows;
    if (!given)
        choose_engine();
    if (s->initialized) {
        sym = s->symbolic;
        if (sym)
            sym->solver.answered = NULL; /* of the worker before */
        return;
    }
    if (given) {
        follow_given();
        return;
    }
    if (s->config.farm)
        rt_fatal("inputs are explored on one machine: leave out --farm");
    if (s->config.jobs > 1 && (s->config.save_tests[0] || s->config.save_queries[0]))
        rt_fatal("tests and questions to the solver are written by one worker: leave out -j");
    sym = arena_alloc(&s->arena, sizeof *sym);
    if (!sym || make_room(&s->arena) || solver_init(&sym->solver, &s->arena, s->config.memory))
        rt_fatal("the solver does not fit into its memory");
    rng_seed(&sym->rng, s->config.seed);
    sym->told = s->finding_count; /* by the search that this one begins anew */
    s->symbolic = sym;
    sym_save_queries();
}

void sym_no_room(void)
{
    if (!sym_explores())
        return;
    finding_incomplete("no room for more expressions over inputs (--memory)");
}

/* ---- the path -------------------------------------------------------------------------------- */

static bool note(uint32_t expression, uint32_t step, bool taken, uint64_t pc)
{
    if (sym->path_count == SYM_CONDITIONS) {
        finding_incomplete("more than %u branches on inputs in one execution", SYM_CONDITIONS);
        return false;
    }
    sym->path[sym->path_count] = (struct sym_condition){
        .expression = expression, .step = step, .taken = taken, .pc = pc, .thread = (uint16_t)rt.current};
    sym->held[sym->path_count++] = expression;
    return true;
}

void sym_hold(uint32_t expression, uint64_t pc)
{
    if (sym_explores() && sym_shadow(expression))
        note(expression, SYM_NO_STEP, true, pc);
}

/* The engine wants it the other way: the same steps once more, with other inputs. */
static __attribute__((noreturn)) void want_other_inputs(uint32_t expression)
{
    sym->repair = true;
    sym->wanted = expression;
    rt.redo = true;
    rt.slots_wanted = 0;
    sched_end_execution(OUTCOME_COMPLETE);
    __builtin_unreachable();
}

static void decide(uint32_t expression, bool taken, uint64_t pc)
{
    uint32_t other = expr_not(&sym->solver.x, expression), step = rt.trace->step_count;
    if (!other) {
        sym_no_room();
        return;
    }
    if (sched_only_looks())
        return;
    rt.engine.symbolic.condition = expression;
    int way = sched_symbolic(taken, pc);
    if (way != taken)
        want_other_inputs(taken ? other : expression);
    if (RT_UNLIKELY(rt.places != NULL) && step >= rt.trace->prefix)
        places_branched(rt.places, pc, taken);
    note(taken ? expression : other, step, taken, pc);
}

void sym_decide(uint32_t expression, bool taken, uint64_t pc)
{
    if (!sym_explores())
        return;
    decide(expression, taken, pc);
    sched_log_followed(EV_CHOOSE, 0, taken, 2, pc);
}

uint32_t sym_take_expected(void)
{
    uint32_t shadow = raddle_sym_expected;
    raddle_sym_expected = 0;
    return shadow;
}

bool sym_before_exchange(uintptr_t at, uint32_t size, uint32_t shadow, uint64_t expected, uint64_t pc)
{
    uint64_t now = 0;
    if (size > 8 || !sym_explores())
        return false;
    rt_copy(&now, (const void *)at, size);
    uint32_t before = raddle_sym_load(at, size, now);
    if (!before && !shadow)
        return false;
    uint32_t same = expr_binary(&sym->solver.x, OP_EQ, sym_operand(before, now, 8 * size),
                                sym_operand(shadow, expected, 8 * size));
    if (!sym_shadow(same))
        return false;
    rt.engine.symbolic.within = true;
    decide(same, now == expected, pc);
    rt.engine.symbolic.within = false;
    return true;
}

/* ---- between executions ---------------------------------------------------------------------- */

/* Looking at the clock costs as much as many a question: the first executions are timed, and of the others
 * one of so many. */
enum { TIMED_FIRST = 64, TIMED_OF = 32 };
static uint64_t timed_since; /* the execution is timed, from here; 0: it is not */

static uint64_t cpu_ns(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum answer sym_ask(const uint32_t *held, uint32_t count, uint32_t expression, uint8_t *bytes)
{
    rt_pulse();
    uint64_t began = timed_since ? cpu_ns() : 0;
    enum answer a = solver_ask(&sym->solver, held, count, expression, bytes);
    rt.shared->solver.ns += began ? cpu_ns() - began : 0;
    if (a == ANSWER_UNKNOWN)
        finding_incomplete("the solver did not find out within %lu conflicts whether a branch can go "
                           "the other way", sym->solver.budget);
    return a;
}

static bool change_inputs(uint32_t count, uint32_t expression)
{
    rt_copy(sym->trial, sym->bytes, sym->byte_count);
    if (sym_ask(sym->held, count, expression, sym->trial) != ANSWER_YES)
        return false;
    rt_copy(sym->bytes, sym->trial, sym->byte_count);
    return true;
}

/* The prefix ends with a branch that is to go the other way: the inputs for that. */
static void turn_last(void)
{
    const struct trace *t = rt.trace;
    if (!t->prefix || !(t->steps[t->prefix - 1].branch & STEP_SYMBOLIC))
        return;
    for (uint32_t i = 0; i < sym->path_count; i++)
        if (sym->path[i].step == t->prefix - 1) {
            if (sym->path[i].taken == t->steps[t->prefix - 1].pick)
                return;
            uint32_t other = expr_not(&sym->solver.x, sym->path[i].expression);
            if (other)
                change_inputs(i, other);
            return;
        }
}

/* ---- samples -----------------------------------------------------------------------------------
 *
 * The last sample's path with one of its branches, drawn at random, turned round: inputs that nobody tried
 * perhaps, under a new schedule. Now and then the inputs stay as they are. After a sample in which an
 * assumption failed it is mostly the branch before that: many assumptions would hardly ever hold all. */

#define SAMPLE_TRIES 8

void sym_given_up(void)
{
    if (!sym_explores() || !sym->sampling || sym->given_up || !sym->path_count)
        return;
    const struct sym_condition *last = &sym->path[sym->path_count - 1];
    if (last->thread == rt.current && last->step != SYM_NO_STEP)
        sym->given_up = sym->path_count;
}

/* So that the assumption holds, if it can. */
static bool make_up(void)
{
    uint32_t i = sym->given_up - 1;
    if (!sym->given_up || !rng_below(&sym->rng, 8))
        return false;
    uint32_t other = expr_not(&sym->solver.x, sym->path[i].expression);
    return other && change_inputs(i, other);
}

static void draw_inputs(void)
{
    if (make_up())
        return;
    uint32_t branches = 0;
    for (uint32_t i = 0; i < sym->path_count; i++)
        branches += sym->path[i].step != SYM_NO_STEP;
    if (!branches || !rng_below(&sym->rng, 4))
        return;
    for (int tries = 0; tries < SAMPLE_TRIES; tries++) {
        uint32_t nth = rng_below(&sym->rng, branches), i = 0;
        for (; sym->path[i].step == SYM_NO_STEP || nth; i++)
            nth -= sym->path[i].step != SYM_NO_STEP;
        uint32_t other = expr_not(&sym->solver.x, sym->path[i].expression);
        if (!other || change_inputs(i, other))
            return;
    }
}

static void swap_aside(void)
{
    struct sym_aside now = {sym->aside.bytes, sym->path, sym->held, sym->path_count};
    for (uint32_t i = 0; i < sym->byte_count; i++) {
        uint8_t byte = sym->bytes[i];
        sym->bytes[i] = now.bytes[i];
        now.bytes[i] = byte;
    }
    sym->path = sym->aside.path;
    sym->held = sym->aside.held;
    sym->path_count = sym->aside.path_count;
    sym->aside = now;
}

void sym_begin(void)
{
    if (!sym_explores())
        return;
    if (sym->sampling != (rt.engine.draws != 0)) {
        swap_aside();
        sym->sampling = !sym->sampling;
        sym->given_up = 0;
    }
    if (sym->execution < TIMED_FIRST || sym->execution % TIMED_OF == 0)
        timed_since = cpu_ns();
    sym->fresh = rt.trace->prefix;
    sym->repaired = SYM_NO_STEP;
    if (sym->sampling)
        draw_inputs();
    else
        turn_last();
}

void sym_reset(void)
{
    sym_inputs_reset();
    if (!sym)
        return;
    sym->path_count = sym->given_up = 0;
    sym->execution++;
    sym->repair = false;
    rt.engine.symbolic.bit = rt.engine.symbolic.within = false;
    raddle_sym_callee = raddle_sym_returned = 0;
    raddle_sym_expected = 0;
    raddle_sym_thread(0);
    sym_memory_reset();
    sym_settled_reset();
}

/* The engine wanted what cannot be. */
static bool go_the_usual_way(uint32_t step)
{
    struct trace *t = rt.trace;
    if (step < sym->fresh || !rt.strategy->misled) {
        rt.redo = false;
        rt.outcome = OUTCOME_ABANDONED;
        return false;
    }
    t->steps[step].pick ^= 1;
    rt.strategy->misled(&rt.engine, t->steps[step].pick);
    return true;
}

bool sym_repair(void)
{
    struct trace *t = rt.trace;
    if (!sym_explores() || !sym->repair)
        return false;
    uint32_t step = t->step_count - 1;
    sym->repair = false;
    sym->repairs++;
    if (sym->repaired == step) { /* the new inputs do not lead there: some value was not followed */
        finding_incomplete("a value that depends on an input was not followed exactly");
        rt.redo = false;
        rt.outcome = OUTCOME_ABANDONED;
        return false;
    }
    sym->repaired = step;
    if (!change_inputs(sym->path_count, sym->wanted) && !go_the_usual_way(step))
        return false;
    if (t->step_count > t->prefix) {
        t->prefix = t->step_count;
        t->known = t->event_count;
    } else {
        execution_engine_begins(); /* nothing was decided yet */
    }
    return true;
}

/* ---- which branches could go the other way? -------------------------------------------------- */

/* Bits of one value that is made concrete: how many of them before this one are free? */
static unsigned free_bits_before(uint32_t i)
{
    const struct sym_condition *c = sym->path;
    unsigned n = 0;
    for (uint32_t k = i; k-- > 0 && c[k].bit && c[k].pc == c[i].pc && c[k].step + 1 == c[k + 1].step;)
        n += (rt.trace->steps[c[k].step].branch & STEP_FREE) != 0;
    return n;
}

/* Do the inputs lead this way? */
static bool followed(uint32_t i)
{
    if (expr_eval(&sym->solver.x, sym->path[i].expression, sym->bytes, sym->byte_count))
        return true;
    finding_incomplete("a value that depends on an input was not followed exactly");
    return false;
}

/* Those of the path without what was there before: loops ask the same again and again. */
static struct {
    struct htable known;
    uint32_t *list, count;
} different;
#define DIFFERENT (1u << 16)

void sym_branches_init(void)
{
    struct htable_entry *entries = rt_map(NULL, DIFFERENT * sizeof *entries, "conditions of a path");
    htable_init_in(&different.known, entries, DIFFERENT);
    different.list = rt_map(NULL, SYM_CONDITIONS * sizeof *different.list, "conditions of a path");
}

/* Was it there? From now on it is. (Where there is no room it is there twice, which costs time only.) */
static bool was_there(uint32_t expression)
{
    struct htable_entry *e = htable_find(&different.known, expression);
    if (htable_has(&different.known, e))
        return true;
    htable_put(&different.known, e, expression, 0);
    different.list[different.count++] = expression;
    return false;
}

/* Behind so many different conditions. */
static void open_branch(uint32_t i, uint32_t behind)
{
    const struct sym_condition *c = &sym->path[i];
    uint32_t other = expr_not(&sym->solver.x, c->expression);
    if (!other) {
        sym_no_room();
        return;
    }
    rt_copy(sym->trial, sym->bytes, sym->byte_count);
    if (sym_ask(different.list, behind, other, sym->trial) != ANSWER_YES)
        return;
    if (c->bit && 2u << free_bits_before(i) > rt.shared->config.concretise && sym_too_many_values(i))
        return;
    rt.trace->steps[c->step].branch |= STEP_OPEN | STEP_FREE;
}

/* What holds already cannot be otherwise. */
static void open_branches(void)
{
    htable_clear(&different.known);
    different.count = 0;
    for (uint32_t i = 0; i < sym->path_count && !sym->sampling; i++) {
        const struct sym_condition *c = &sym->path[i];
        uint32_t behind = different.count;
        bool again = was_there(c->expression);
        if (c->step != SYM_NO_STEP && c->step >= sym->fresh && followed(i) && !again && !rt.strategy->suits)
            open_branch(i, behind);
    }
}

/* For --verbose. */
static void tell_work(void)
{
    const struct solver_stats *s = &sym->solver.stats;
    struct solver_work *w = &rt.shared->solver;
    *w = (struct solver_work){.asked = s->asked, .constant = s->constant, .bytes = s->by_bytes,
                              .tried = s->by_trying, .cached = s->by_cache, .sat = s->by_sat,
                              .impossible = s->no, .unknown = s->unknown, .repairs = sym->repairs,
                              .ns = w->ns, .all_ns = w->all_ns};
    if (timed_since)
        w->all_ns += cpu_ns() - timed_since;
    timed_since = 0;
}

void sym_end(void)
{
    if (!sym_explores() || rt.outcome == OUTCOME_DIVERGED)
        return;
    if (sym->input_count)
        units_check_symbolic();
    sym_save_test();
    open_branches();
    tell_work();
}
