/* Where everything begins. __libc_start_main is interposed so that, once constructors have run, the
 * search loop takes the place of main: put everything back, call main as thread 0, let the engine
 * decide, and again (execution.c). Without a host (no RADDLE_WORKER in the environment) main is simply
 * called. */
#include "base/ensure.h"
#include "explore/share/grove.h"
#include "rt/abi/access.h"
#include "rt/abi/assembly.h"
#include "rt/abi/svcomp.h"
#include "rt/abi/trap.h"
#include "rt/abi/units.h"
#include "rt/check/crash.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/check/property.h"
#include "rt/check/race.h"
#include "rt/code/live.h"
#include "rt/core/await.h"
#include "rt/core/await_undo.h"
#include "rt/core/caller.h"
#include "rt/core/execution.h"
#include "rt/core/fiber.h"
#include "rt/core/halfway.h"
#include "rt/core/interpose.h"
#include "rt/core/pages.h"
#include "rt/core/record.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/core/team.h"
#include "rt/posix/folders.h"
#include "rt/posix/pinned.h"
#include "rt/posix/cancel.h"
#include "rt/posix/thread.h"
#include "rt/sym/sym.h"
#include "rt/tell/debugger.h"

#include <fcntl.h>
#include <pthread.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library would allocate it when something is first printed, by whichever thread does that. */
static void own_output_buffer(void)
{
    static char buffer[4096];
    setvbuf(stdout, buffer, isatty(1) ? _IOLBF : _IOFBF, sizeof buffer);
}

typedef int (*main_fn)(int, char **, char **);
static main_fn program_main;

/* The environment as the program would see it without us. */
static int take_descriptor(char **envp)
{
    size_t n = strlen(SHARED_ENV);
    for (char **e = envp; *e; e++) {
        if (strncmp(*e, SHARED_ENV, n) || (*e)[n] != '=')
            continue;
        int fd = atoi(*e + n + 1);
        for (; *e; e++)
            e[0] = e[1];
        return fd;
    }
    return -1;
}

static int find_text(struct dl_phdr_info *info, size_t size, void *arg)
{
    uintptr_t self = (uintptr_t)&find_text;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && self >= start && self < start + p->p_memsz) {
            rt.text_start = start;
            rt.text_end = start + p->p_memsz;
            return 1;
        }
    }
    return 0;
}

__attribute__((constructor(101))) static void early(void)
{
    rt.worker = getenv(SHARED_ENV) != NULL;
    dl_iterate_phdr(find_text, NULL);
    if (rt.worker)
        heap_init();
}

static void map_shared(int fd)
{
    struct shared *s = mmap((void *)SHARED_BASE, SHARED_SIZE, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (s != (struct shared *)SHARED_BASE)
        rt_fatal("cannot map the memory shared with the host");
    if (s->magic != SHARED_MAGIC || s->version != SHARED_VERSION)
        rt_fatal("this program was linked with another version of raddle: build it again");
    pages_of(fd);
    rt.shared = s;
    rt.trace = &s->trace;
    rt.recording = s->config.record;
    rt.watched = s->config.record || s->config.gdb;
}

static struct grove *grove;

static void map_grove(void)
{
    int fd = rt.shared->exchange.grove_fd;
    if (fd < 0)
        return;
    grove = mmap((void *)GROVE_BASE, GROVE_SIZE, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (grove != (struct grove *)GROVE_BASE)
        rt_fatal("cannot map the memory shared by the workers");
    syscall(SYS_close, fd);
}

static const struct engine_class *wanted_strategy(void)
{
    const struct shared *s = rt.shared;
    return engine_find(s->instead[0] ? s->instead : s->config.engine);
}

/* For engine.go_on. */
static int go_on(void)
{
    rt_pulse();
    return !rt.shared->stop;
}

static void begin_engine(void)
{
    struct shared *s = rt.shared;
    sym_begin_engine();
    rt.strategy = wanted_strategy();
    if (!rt.strategy)
        rt_fatal("there is no engine '%s'", s->config.engine);
    rt.engine = (struct engine){.config = &s->config,
                                .trace = rt.trace,
                                .arena = &s->arena,
                                .begun = (uint32_t)s->restarts,
                                .bounds = &s->bounds,
                                .graph = &s->graph,
                                .lessons = &s->lessons,
                                .fails = await_fails,
                                .initial = property_initial,
                                .go_on = go_on,
                                .will_use = pages_will_use,
                                .peek = access_look,
                                .suit = sym_suit,
                                .made_concrete = sym_made_concrete,
                                .put_conditions = sym_put_conditions,
                                .get_conditions = sym_get_conditions,
                                .impatient = &s->impatient,
                                .limits = &s->limits,
                                .repeats = &s->repeats,
                                .grove = grove,
                                .box = s->config.farm && grove ? &s->exchange : NULL,
                                .member = (int)s->exchange.member,
                                .first = s->exchange.range_first,
                                .next = s->pending,
                                .live = &s->unfinished};
    rt.coverage = s->coverage_watch;
    rt.places = s->config.places ? &s->places : NULL;
    rt.orbit_lessons = UINT32_MAX;
    rt.counting = s->config.coverage || s->config.places;
    if (s->initialized) {
        rt.engine.state = s->engine_state;
        return;
    }
    if (s->config.coverage) {
        s->coverage = (struct coverage){0};
        s->coverage_watch = rt.coverage = coverage_new(&rt.engine);
        if (!rt.coverage)
            rt_fatal("the counts of --coverage do not fit into the engine's memory");
    }
    if (rt.strategy->init(&rt.engine))
        rt_fatal("engine %s does not fit into its memory", s->config.engine);
    s->engine_state = rt.engine.state;
    s->initialized = 1;
}

/* What was counted so far is void: the search begins again. */
static void forget_counts(void)
{
    rt.shared->restarts++;
    team_discard();
}

void fresh_engine(void)
{
    struct shared *s = rt.shared;
    size_t mark = (s->engine_mark + 4095) & ~(size_t)4095;
    arena_give_back(&s->arena, mark);
    s->arena.used = mark;
    rt.trace->prefix = rt.trace->known = 0;
    s->initialized = 0;
    begin_engine();
}

/* New scheduling points were found: what the engine knows no longer fits the program. */
static void begin_again(void)
{
    forget_counts();
    rt.shared->repeats = 0;
    fresh_engine();
}

static void account(void)
{
    struct shared *s = rt.shared;
    const struct trace *t = rt.trace;
    if (s->config.traces_fd >= 0 && rt.outcome != OUTCOME_ABANDONED && rt.outcome != OUTCOME_ASSUME &&
        rt.outcome != OUTCOME_WAITING)
        traces_write();
    s->events += t->event_count;
    s->steps_total += t->step_count;
    rt_pulse();
    if (t->step_count > s->max_step_count)
        s->max_step_count = t->step_count;
    if (t->event_count > s->max_event_count)
        s->max_event_count = t->event_count;
    if ((uint64_t)rt.threads > s->max_thread_count)
        s->max_thread_count = (uint64_t)rt.threads;
    switch (rt.outcome) {
    case OUTCOME_ABANDONED:
        *(rt.engine.retry ? &s->discarded : rt.engine.cuts ? &s->executions : &s->blocked) += 1;
        break;
    case OUTCOME_WAITING:
        s->blocked++;
        break;
    case OUTCOME_ASSUME:
        s->assumed++;
        break;
    case OUTCOME_BOUND:
        /* Somebody gave way too often: s->impatient. */
        s->bounded += rt.behind != OUTCOME_BOUND && !rt.engine.aside;
        s->executions++;
        break;
    default:
        s->executions++;
    }
    if (rt.coverage)
        coverage_end(rt.coverage, s, rt.outcome);
}

static void update_estimate(void)
{
    struct engine_estimate e = {0};
    if (!rt.strategy->estimate || (rt.shared->executions & 255))
        return;
    rt.strategy->estimate(&rt.engine, &e);
    rt.shared->estimate_total = e.total;
    rt.shared->estimate_spread = e.spread;
    rt.shared->fraction = e.fraction;
}

/* A program that does not follow its own schedule again cannot be put back in one process. */
static bool diverged(void)
{
    struct shared *s = rt.shared;
    if (rt.outcome != OUTCOME_DIVERGED)
        return false;
    if (s->config.isolate == ISOLATE_FORK || rt.strategy->follows) {
        finding_incomplete("the program does not behave the same when the same schedule is repeated");
        s->phase = PHASE_DONE;
        syscall(SYS_exit_group, 0);
    }
    s->config.isolate = ISOLATE_FORK;
    s->isolated = 1;
    return true;
}

static bool budget_left(void)
{
    struct shared *s = rt.shared;
    uint64_t limit = s->config.max_executions;
    bool own = s->config.jobs <= 1 || rt.strategy->strides; /* others take from one budget */
    if (s->stop)
        return false;
    if (limit && !s->config.farm && own
            ? s->executions + s->blocked >= engine_quota(limit, s->config.jobs, s->exchange.member)
            : !team_may_execute()) {
        finding_limit(LIMIT_EXECUTIONS, limit);
        return false;
    }
    return true;
}

/* Accesses that have to become scheduling points; with --granularity=access all are already. */
static bool new_points(void)
{
    return rt.new_racy && rt.shared->config.granularity == GRANULARITY_SYNC;
}

/* Is there another execution (ENGINE_AGAIN: the first of the search begun anew)? */
static int end_execution(enum outcome o)
{
    int more = rt.strategy->end(&rt.engine, o);
    if (more == ENGINE_AGAIN && rt.shared->config.jobs <= 1)
        forget_counts();
    if (RT_UNLIKELY(rt.engine.incomplete != NULL))
        finding_incomplete("%s", rt.engine.incomplete);
    if (RT_UNLIKELY(rt.engine.note != NULL))
        finding_warn(0, "%s", rt.engine.note);
    rt.engine.note = NULL;
    return more;
}

/* How often a thread may give way in a row, while others could go on; see spin.c. Engines that sample or
 * follow need no limit. */
#define PATIENCE 4
#define PATIENCE_SHARED 64       /* workers that share a search do not begin again with more of it */
#define PATIENCE_EXECUTIONS 20000 /* a longer search is not begun again with more of it, … */
#define PATIENCE_STEPS 1000000    /* … nor one of so many steps in all */

static void set_patience(void)
{
    struct shared *s = rt.shared;
    if (!s->patience)
        s->patience = s->config.jobs > 1 ? PATIENCE_SHARED : PATIENCE;
    rt.patience = rt.strategy->endless || rt.strategy->follows ? UINT32_MAX : s->patience;
}

static bool again(void)
{
    if (rt.restart && !new_points() && rt.strategy->anew && rt.strategy == wanted_strategy() &&
        rt.shared->config.jobs <= 1) {
        rt.shared->restarts++;
        return !rt.strategy->anew(&rt.engine);
    }
    if (rt.shared->config.jobs > 1)
        return team_again();
    begin_again();
    return true;
}

/* The search is over: once more, with more patience? */
static bool more_patience(void)
{
    struct shared *s = rt.shared;
    if (!s->impatient)
        return false;
    if (s->config.jobs > 1 || s->executions + s->blocked > PATIENCE_EXECUTIONS ||
        s->steps_total > PATIENCE_STEPS) {
        finding_incomplete("a thread that gives way (yield, sleep, timeout, a lock given back) while "
                           "others can go on does so at most %u times in a row (circles of several "
                           "threads: --engine stateful --match states)", s->patience);
        return false;
    }
    s->impatient = 0;
    s->patience *= 2;
    set_patience();
    return again();
}

/* Executions were given up, or run in vain, because it was found out on the way which looks only go round: a
 * short search is made once more by who knows that from its beginning. */
#define KNOWING_EXECUTIONS 20000
#define KNOWING_STEPS 5000000 /* of all searches so far */

static bool more_knowledge(void)
{
    const struct shared *s = rt.shared;
    bool knew_late = (rt.strategy->never_gives_up && s->blocked) || (!rt.strategy->endless && await_missed());
    if (!knew_late || s->config.jobs > 1 ||
        s->executions + s->blocked > KNOWING_EXECUTIONS || s->steps_total > KNOWING_STEPS)
        return false;
    return await_knows_more() && again();
}

/* The engine's state as an earlier worker left it, or afresh; is there something to execute? */
static bool begin_search(void)
{
    struct shared *s = rt.shared;
    if (s->exchange.redo || (s->config.jobs > 1 && !s->initialized)) {
        begin_engine();
        return team_resume();
    }
    if (!s->initialized || s->phase == PHASE_STARTING) {
        begin_engine();
        return true;
    }
    begin_engine(); /* an earlier worker died in an execution */
    s->executions++;
    if (s->config.traces_fd >= 0)
        traces_write();
    return team_between(end_execution(OUTCOME_COMPLETE));
}

static void search(void)
{
    struct shared *s = rt.shared;
    bool more = begin_search();
    set_patience();
    rt.scrambles = engine_option(&rt.engine, "scramble", 0);
    uint64_t fail_at = engine_option(&rt.engine, "fail_at", UINT64_MAX); /* for tests */
    while (more && budget_left()) {
        ensure(s->executions != fail_at);
        execution_run();
        if (diverged()) {
            more = again();
            continue;
        }
        if (rt.restart && rt.strategy->endless) /* that execution again, with what it has learned */
            rt.engine.retry = 1;
        bool learned = await_undo_learn();
        if (learned && rt.strategy->follows && !rt.bug_in_execution && !new_points())
            continue;
        account();
        sym_tell_inputs();
        if (rt.bug_in_execution && !s->config.keep_going)
            break;
        if ((new_points() || rt.restart) && !rt.strategy->endless && !rt.strategy->follows) {
            more = again();
            continue;
        }
        record_tell_cut();
        update_estimate();
        sym_end();
        int next = end_execution(rt.outcome);
        more = next == ENGINE_AGAIN && s->config.jobs > 1 ? team_again() : team_between(next);
        more = more || more_patience() || more_knowledge();
    }
    if (!more && !s->bounded && !s->impatient && !s->bounds.left_over && !rt.engine.incomplete &&
        !s->limits.reached &&
        (s->config.jobs <= 1 || !s->stop))
        s->complete = 1;
    s->phase = PHASE_DONE;
}

static int wrapped_main(int argc, char **argv, char **envp)
{
    if (!rt.worker)
        return program_main(argc, argv, envp);
    int fd = take_descriptor(envp);
    if (fd < 0)
        return program_main(argc, argv, envp);
    map_shared(fd);
    map_grove();
    access_resolve_racy();
    if (rt.shared->config.farm)
        layout_note();
    restart_remember_files();
    rt.home_fs = (uintptr_t)pthread_self();
    rt.all = rt_map(NULL, sizeof *rt.all * EVENT_MAX_THREADS, "threads");
    sync_init();
    race_init();
    await_init();
    live_init();
    sym_memory_init();
    sym_settled_init();
    sym_branches_init();
    caller_init();
    debugger_init();
    fiber_init();
    crash_init();
    cancel_init();
    folders_init();
    assembly_init();
    exit_set_main(program_main, argc, argv, envp);
    exit_freeze();
    heap_freeze();
    keys_freeze();
    own_output_buffer();
    pinned_begin(); /* in what each execution begins with */
    restart_snapshot(argc, argv, envp);
    units_check();
    libraries_check(false);
    trap_init();
    search();
    halfway_leave();
    syscall(SYS_exit_group, 0);
    return 0;
}

int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);
RT_EXPORT int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void),
                                void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    program_main = main;
    return REAL(__libc_start_main)(wrapped_main, argc, argv, init, fini, rtld_fini, stack_end);
}
