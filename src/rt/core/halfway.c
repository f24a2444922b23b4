/* Three processes: the worker, which runs the search; one that stands halfway, at the end of the beginning;
 * and the copy of that one in which an execution goes on. The trace and the engine are in memory that all of
 * them share. What else the worker has learned since the second one was made is handed over (struct meeting),
 * or makes it void (struct circumstances).
 *
 * A copy has its own memory, but not its own files: if main has opened, changed or mapped any that copies
 * would share, or has made memory that processes share, every execution begins with main. So does one
 * whose prefix does not contain the beginning, since its engine wants to be asked there. */
#include "rt/core/halfway.h"

#include "base/ensure.h"
#include "rt/core/execution.h"
#include "rt/core/fiber.h"
#include "rt/core/restart.h"
#include "rt/posix/files.h"
#include "rt/sym/sym.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_BEGINNING 2000     /* µs of CPU time, unless --set beginning=… */
#define LOOK_AFTER_NS 50000000 /* how often the worker looks whether the process is still there */

/* What a beginning depends on that is not the program itself. */
struct circumstances {
    const struct engine_class *strategy;
    uint64_t restarts;
    uint32_t racy, lessons;
    int slots;
};

/* Where the worker and the process meet. */
static struct meeting {
    uint32_t asked, answered; /* executions; futexes */
    int status;               /* of the last one */
    bool stands;
    struct engine engine; /* of the worker, for the execution that was asked for … */
    uint32_t patience;    /* … and rt.patience */
} *meeting;

static enum { UNKNOWN, LONG, STANDING, NEVER } beginning;
static struct circumstances key;
static uint64_t begun; /* CPU time */
static bool was_long;  /* in the first execution, which also pays for first touches */
static uint32_t steps, events; /* of the beginning */
static long process;
static bool is_process; /* this is the one that is to stand there */

static uint64_t cpu_ns(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Until the word is not `value` any more, or a while has passed. */
static void wait_while(uint32_t *word, uint32_t value)
{
    const struct timespec while_ = {.tv_nsec = LOOK_AFTER_NS};
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, value, &while_, NULL, 0);
}

static void set(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* ---- the process that stands there ---------------------------------------------------------------- */

/* The execution that was asked for goes on here, as if it had begun with main. */
static void go_on_from_here(void)
{
    rt.engine = meeting->engine;
    rt.patience = meeting->patience;
    rt.trace->step_count = steps;
    rt.trace->event_count = events;
    restart_rewind();
    execution_begins(key.racy);
}

static void stand(void)
{
    uint32_t served = 0;
    ensure(rt.threads == 1 && tset_has(&rt.live, 0));
    if (steps != rt.trace->step_count || events != rt.trace->event_count || restart_shares_files() ||
        files_changed() || maps_shared()) {
        files_undo();
        syscall(SYS_exit_group, 0);
    }
    restart_settle();
    rt.active = false;
    meeting->stands = true;
    for (;;) {
        set(&meeting->answered, served);
        while (__atomic_load_n(&meeting->asked, __ATOMIC_ACQUIRE) == served)
            wait_while(&meeting->asked, served);
        served = meeting->asked;
        if (execution_fork(&meeting->status))
            return go_on_from_here();
    }
}

void halfway_come(void)
{
    rt.halfway = false;
    if (rt.threads > 1)
        return;
    if (is_process)
        return stand();
    bool is_long = (cpu_ns() - begun) / 1000 >= engine_option(&rt.engine, "beginning", LONG_BEGINNING);
    if (is_long && !was_long) {
        was_long = true;
        return;
    }
    steps = rt.trace->step_count;
    events = rt.trace->event_count;
    beginning = LONG;
    rt.short_beginning = !is_long;
}

/* ---- the worker ------------------------------------------------------------------------------------- */

void halfway_watch(void)
{
    rt.halfway = is_process || beginning == UNKNOWN;
    if (beginning == UNKNOWN)
        begun = cpu_ns();
}

/* Is it at work or waiting, until it has answered? */
static bool wait_for_answer(void)
{
    uint32_t asked = meeting->asked;
    int status;
    while (__atomic_load_n(&meeting->answered, __ATOMIC_ACQUIRE) != asked) {
        wait_while(&meeting->answered, asked - 1);
        if (syscall(SYS_wait4, process, &status, WNOHANG, NULL) == process)
            return false;
    }
    return true;
}

static void begin_process(uint32_t racy, void (*run)(uint32_t racy))
{
    long worker = syscall(SYS_getpid);
    if (!meeting)
        meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    beginning = NEVER;
    if (meeting == MAP_FAILED)
        return;
    *meeting = (struct meeting){.asked = 0, .answered = UINT32_MAX};
    process = syscall(SYS_fork);
    if (process == 0) {
        execution_dies_with(worker);
        is_process = true;
        run(racy);
    }
    if (process > 0 && wait_for_answer() && meeting->stands)
        beginning = STANDING;
}

void halfway_leave(void)
{
    int status;
    if (beginning != STANDING)
        return;
    syscall(SYS_kill, process, 9);
    while (syscall(SYS_wait4, process, &status, 0, NULL) < 0)
        ;
    beginning = UNKNOWN;
}

bool halfway_ready(uint32_t racy, void (*run)(uint32_t racy))
{
    const struct shared *s = rt.shared;
    const struct trace *t = rt.trace;
    struct circumstances now = {.strategy = rt.strategy, .restarts = s->restarts, .racy = racy,
                      .lessons = s->lessons.count, .slots = fiber_slots()};
    if (sym || s->config.isolate == ISOLATE_FORK ||
        rt.recording | rt.watched | rt.captures | rt.properties)
        return false;
    if (now.strategy != key.strategy || now.restarts != key.restarts || now.racy != key.racy ||
        now.lessons != key.lessons || now.slots != key.slots) {
        halfway_leave();
        key = now;
        beginning = UNKNOWN;
    }
    if (t->prefix < steps || t->known < events)
        return false;
    if (beginning == LONG)
        begin_process(racy, run);
    return beginning == STANDING;
}

int halfway_run(void)
{
    meeting->engine = rt.engine;
    meeting->patience = rt.patience;
    rt.worker_child = (int)process;
    set(&meeting->asked, meeting->asked + 1);
    if (!wait_for_answer())
        rt_fatal("the process that executions were continued in was killed");
    rt.worker_child = 0;
    return meeting->status;
}
