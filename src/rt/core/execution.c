/* One execution: everything is put back, main is called as thread 0, and when all is over the engine is told
 * where everybody stood. With --isolate=fork it runs in a child; the trace and the engine live in shared
 * memory, so what the child decided and saw is there when it has ended. */
#include "rt/core/execution.h"

#include "rt/abi/access.h"
#include "rt/abi/assembly.h"
#include "rt/abi/svcomp.h"
#include "rt/check/finding.h"
#include "rt/check/property.h"
#include "rt/check/heap.h"
#include "rt/core/await.h"
#include "rt/core/capture.h"
#include "rt/core/fiber.h"
#include "rt/core/halfway.h"
#include "rt/core/orbit.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/descriptors.h"
#include "rt/posix/files.h"
#include "rt/posix/signals.h"
#include "rt/posix/thread.h"
#include "rt/posix/process_state.h"
#include "rt/posix/timers.h"
#include "rt/sym/outside.h"
#include "rt/sym/sym.h"
#include "rt/tell/story.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tells the engine where everybody stood in the end. */
static void tell_end(void)
{
    struct tset standing = {{0}};
    if (!rt.strategy->ended || rt.redo)
        return;
    TSET_FOR(t, &rt.live)
        if (rt.all[t].state == THREAD_PENDING)
            tset_add(&standing, t);
    rt.strategy->ended(&rt.engine, &(struct decision){.enabled = &rt.enabled,
                                                      .next = rt.next,
                                                      .live = &standing,
                                                      .last = rt.last,
                                                      .threads = rt.threads});
}

/* Where somebody wants to hear of every operation, each is announced. */
static uint32_t repeats(void)
{
    bool heard = rt.watched | rt.heeds | rt.noting | rt.atomics | rt.properties;
    return heard || sym ? 0 : rt.trace->known;
}

/* For the host's eyes; without the fence of a plain assignment. */
static void enter(enum worker_phase phase)
{
    atomic_store_explicit(&rt.shared->phase, phase, memory_order_release);
}

void execution_begins(uint32_t racy)
{
    await_reset();
    orbit_begin();
    rt.new_racy = rt.shared->racy_count > racy;
    rt.restart = false;
    enter(PHASE_RUNNING);
    rt.repeats = repeats();
    rt.active = true;
}

/* racy: so many of the racy accesses are scheduling points, also if the execution is repeated and
 * there are more by then. */
static void run_main_once(uint32_t racy)
{
    rt.generation++;
    sync_begin();
    restart_restore();
    heap_reset();
    sched_reset();
    keys_reset();
    locals_reset();
    svcomp_reset();
    assembly_reset();
    exit_reset();
    signals_reset();
    timers_reset();
    process_state_reset();
    descriptors_reset();
    property_begin();
    access_load_racy(racy);
    sym_reset();
    thread_start_main();
    halfway_begin();
    execution_begins(racy);
    fiber_run_main();
    rt.active = rt.orbits = false;
    sym_outside_end();
    tell_end();
    if (RT_UNLIKELY(files_changed()))
        files_undo();
    maps_reset();
    enter(PHASE_BETWEEN);
}

/* What a forked child has to tell its parent beside the trace. What the engine says points into its own
 * memory or is constant, so it is at the same place in both. */
static struct child_result {
    enum outcome outcome, behind;
    bool redo, new_racy, restart, bug_in_execution;
    int slots_wanted, threads;
    struct engine engine;
} *child;
_Static_assert(sizeof(struct child_result) <= 4096, "one page is mapped for it");

static void child_died(int status)
{
    struct finding *f = finding_new(FINDING_CRASH, 0, 0, "the program died from signal %d",
                                    WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    finding_commit(f);
    child->outcome = OUTCOME_COMPLETE;
    child->bug_in_execution = true;
    child->behind = OUTCOME_COMPLETE;
    child->redo = child->restart = child->new_racy = false;
    child->threads = rt.threads;
    child->engine = rt.engine;
    child->engine.retry = 0;
}

void execution_dies_with(long parent)
{
    syscall(SYS_prctl, PR_SET_PDEATHSIG, 9 /* SIGKILL */, 0, 0, 0);
    if (syscall(SYS_getppid) != parent)
        syscall(SYS_exit_group, 1);
}

/* Runs and tells how it was; in a child, or in the copy of the process that stands halfway. */
static void run_and_tell(uint32_t racy)
{
    run_main_once(racy);
    *child = (struct child_result){.outcome = rt.outcome, .behind = rt.behind, .redo = rt.redo,
                                   .new_racy = rt.new_racy, .restart = rt.restart,
                                   .bug_in_execution = rt.bug_in_execution,
                                   .slots_wanted = rt.slots_wanted, .threads = rt.threads,
                                   .engine = rt.engine};
    syscall(SYS_exit_group, 0);
}

bool execution_fork(int *status)
{
    long parent = syscall(SYS_getpid), pid = syscall(SYS_fork);
    if (pid < 0)
        rt_fatal("cannot fork for an isolated execution");
    if (pid == 0) {
        execution_dies_with(parent);
        return true;
    }
    rt.worker_child = (int)pid;
    while (syscall(SYS_wait4, pid, status, 0, NULL) < 0)
        ;
    rt.worker_child = 0;
    return false;
}

static void hear_child(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_RUNTIME_FAILED)
        syscall(SYS_exit_group, EXIT_RUNTIME_FAILED); /* it has said why */
    if (status)
        child_died(status);
    rt.outcome = child->outcome;
    rt.behind = child->behind;
    rt.redo = child->redo;
    rt.new_racy = child->new_racy;
    rt.restart = child->restart;
    rt.bug_in_execution = child->bug_in_execution;
    rt.slots_wanted = child->slots_wanted;
    rt.threads = child->threads;
    rt.engine = child->engine;
}

/* In a process of its own, if it is to be or if that is faster. */
static __attribute__((noinline)) void run_apart(uint32_t racy)
{
    int status = 0;
    if (!child)
        child = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (halfway_ready(racy, run_and_tell)) {
        hear_child(halfway_run());
    } else if (rt.shared->config.isolate == ISOLATE_FORK) {
        if (execution_fork(&status))
            run_and_tell(racy);
        hear_child(status);
    } else {
        run_main_once(racy);
    }
}

static void run_once(uint32_t racy)
{
    if (RT_LIKELY(rt.short_beginning && rt.shared->config.isolate != ISOLATE_FORK))
        run_main_once(racy);
    else
        run_apart(racy);
}

void execution_engine_begins(void)
{
    rt.strategy->begin(&rt.engine);
    if (rt.coverage)
        coverage_begin(rt.coverage);
}

void execution_run(void)
{
    uint32_t racy = rt.shared->racy_count;
    sym_begin();
    execution_engine_begins();
    capture_begin();
    for (;;) {
        if (rt.recording)
            story_begin();
        run_once(racy);
        if (!rt.redo)
            break;
        if (sym_repair())
            continue;
        if (!rt.redo)
            break;
        /* Follow the same schedule again with more thread slots. */
        fiber_more_slots(rt.slots_wanted);
        if (rt.restart) { /* orbit_uses_tls */
            rt.outcome = OUTCOME_ABANDONED;
            break;
        }
        if (rt.trace->prefix && rt.trace->step_count <= rt.trace->prefix) {
            execution_engine_begins(); /* nothing was decided yet */
            continue;
        }
        rt.trace->prefix = rt.trace->step_count;
        rt.trace->known = rt.trace->event_count;
    }
    if (rt.recording)
        story_end(rt.outcome);
}
