/* How a program ends: main returns (the other threads run to their end first, unless --exit=kill),
 * exit() with its handlers, _exit(), abort(), a failed assertion. Exit handlers are kept in a list of
 * our own, because libc's exit() could not be survived.
 *
 * Whatever other threads can still do may come before the end of the process, and nothing comes after
 * it. So a thread that has come to the end waits until nobody else can go on: every behaviour that the
 * end could have cut short is the beginning of one that is explored. Handlers are ordinary code of the
 * thread that calls exit(); a second thread that calls it waits for ever, as in libc. */
#include "rt/abi/cxx_throw.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/core/capture.h"
#include "rt/core/fiber.h"
#include "rt/core/imports.h"
#include "rt/core/interpose.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/thread.h"
#include "rt/posix/timers.h"
#include "rt/sym/outside.h"
#include "rt/sym/sym.h"
#include "rt/tell/story.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_HANDLERS 4096

struct handler {
    void (*run)(void *);
    void (*run_on_exit)(int, void *);
    void *arg;
};

static struct handler handlers[MAX_HANDLERS];
static int handler_count, before_main;
static bool handlers_done; /* all have run: nobody can add one */
static void (*quick_handlers[MAX_HANDLERS])(void);
static int quick_count, quick_before_main;

static struct {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **envp;
} program;

void exit_set_main(int (*main)(int, char **, char **), int argc, char **argv, char **envp)
{
    program.main = main;
    program.argc = argc;
    program.argv = argv;
    program.envp = envp;
}

/* Destructors of the program and of its libraries built with raddle, in the order to run them: those
 * of a module backwards, the program before its libraries. */
#define MAX_FINAL 512
static void (*final[MAX_FINAL])(void);
static int final_count;
static bool has_destructors; /* among them some that are not the compiler's */

static void add_final(void (*run)(void))
{
    if (final_count == MAX_FINAL)
        rt_fatal("the program has more than %d destructor functions", MAX_FINAL);
    final[final_count++] = run;
}

static int note_final(struct dl_phdr_info *info, size_t size, void *arg)
{
    const ElfW(Dyn) *d = imports_dynamic(info);
    void (**array)(void) = NULL, (*fini)(void) = NULL;
    size_t n = 0;
    if (!d || !restart_built_with_raddle(info))
        return 0;
    for (; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_FINI_ARRAY)
            array = (void (**)(void))(info->dlpi_addr + d->d_un.d_ptr);
        else if (d->d_tag == DT_FINI_ARRAYSZ)
            n = d->d_un.d_val / sizeof *array;
        else if (d->d_tag == DT_FINI)
            fini = (void (*)(void))(info->dlpi_addr + d->d_un.d_ptr);
    }
    has_destructors |= n > 1; /* the first is __do_global_dtors_aux */
    while (array && n > 0)
        add_final(array[--n]);
    if (fini)
        add_final(fini);
    return 0;
}

void exit_freeze(void)
{
    before_main = handler_count;
    quick_before_main = quick_count;
    dl_iterate_phdr(note_final, NULL);
}

void exit_reset(void)
{
    handler_count = before_main;
    quick_count = quick_before_main;
    handlers_done = false;
}

/* Who comes first to the list of handlers is noticed by all that run, or no longer run. */
static struct event *at_handlers(uint64_t pc)
{
    bool noticed = rt.active && rt.adds_handlers && !thread_alone();
    return noticed ? table_step(HANDLERS_OBJECT, "exit handlers", false, pc) : NULL;
}

static int add_handler(struct handler h)
{
    if (handlers_done)
        return -1;
    if (handler_count == MAX_HANDLERS) {
        finding_limit(LIMIT_HANDLERS, MAX_HANDLERS);
        return -1;
    }
    if (h.run_on_exit || !h.arg) /* an object of C++ has a guard, which is captured */
        capture_changes("the program registers what is to be done at its end");
    handlers[handler_count++] = h;
    return 0;
}

int __cxa_atexit(void (*run)(void *), void *arg, void *dso);
RT_EXPORT int __cxa_atexit(void (*run)(void *), void *arg, void *dso)
{
    if (!rt.worker)
        return REAL(__cxa_atexit)(run, arg, dso);
    struct event *op = at_handlers(RT_CALLER());
    int status = add_handler((struct handler){.run = run, .arg = arg});
    table_done(op, true);
    return status;
}

/* Called by a module's own destructors, for handlers that were registered with libc for it. Here there
 * are none, and libc would take locks, writing to pages that would then be put back every time. */
void __cxa_finalize(void *dso);
RT_EXPORT void __cxa_finalize(void *dso)
{
    if (!rt.active)
        REAL(__cxa_finalize)(dso);
}

RT_EXPORT int on_exit(void (*run)(int, void *), void *arg)
{
    if (!rt.worker)
        return REAL(on_exit)(run, arg);
    struct event *op = at_handlers(RT_CALLER());
    int status = add_handler((struct handler){.run_on_exit = run, .arg = arg});
    table_done(op, true);
    return status;
}

/* at_quick_exit() comes here. */
int __cxa_at_quick_exit(void (*run)(void), void *dso);
RT_EXPORT int __cxa_at_quick_exit(void (*run)(void), void *dso)
{
    if (!rt.worker)
        return REAL(__cxa_at_quick_exit)(run, dso);
    if (quick_count == MAX_HANDLERS) {
        finding_limit(LIMIT_HANDLERS, MAX_HANDLERS);
        return -1;
    }
    capture_changes("the program registers what is to be done at its end");
    struct event *op = at_handlers(RT_CALLER());
    quick_handlers[quick_count++] = run;
    table_done(op, true);
    return 0;
}

static bool take_handler(struct handler *h, uint64_t pc)
{
    struct event *op = at_handlers(pc);
    handlers_done = handler_count == 0;
    if (!handlers_done)
        *h = handlers[--handler_count];
    table_done(op, true);
    return !handlers_done;
}

static void run_handlers(int status, uint64_t pc)
{
    for (struct handler h = {0}; take_handler(&h, pc);) {
        if (h.run_on_exit)
            h.run_on_exit(status, h.arg);
        else
            h.run(h.arg);
    }
}

bool thread_status_is_seen(void)
{
    for (int i = 0; i < handler_count; i++)
        if (handlers[i].run_on_exit)
            return true;
    return false;
}

static void check_status(int status)
{
    int wanted = rt.shared->config.status;
    if (wanted >= 0 && (status & 255) != wanted)
        finding_commit(finding_new(FINDING_EXIT, 0, 0, "the program ended with exit status %d",
                                   status & 255));
}

/* The running thread ends the process, as soon as nobody else can go on. */
static void last_step(int status)
{
    check_status(status);
    rt.engine.exits = rt.current + 1;
    if (rt.atomic_thread != rt.current || !rt.atomics) {
        sched_limit_rest();
        rt.exiting = rt.current;
        sched_wait_parked(NULL, rt.next[rt.current].pc);
    }
    rt.main_done = true; /* nobody was interrupted */
    if (rt.failed)
        sched_end_execution(OUTCOME_COMPLETE);
}

void thread_quick_exit(int status)
{
    last_step(status);
    sched_end_execution(OUTCOME_COMPLETE);
}

/* fflush(NULL), unless no stream has anything to write: it would touch them all for nothing. */
static void flush_streams(void)
{
    extern FILE *_IO_list_all;
    for (FILE *f = _IO_list_all; f; f = f->_chain)
        if (f->_IO_write_ptr > f->_IO_write_base || f->_mode > 0) {
            fflush(NULL);
            return;
        }
}

/* Only one thread runs the handlers. Who knows that nobody else is left need not ask. */
static void become_the_one(uint64_t pc)
{
    struct sync *s = sync_get(EVENT_EXIT_OBJECT, SYNC_MUTEX);
    if (rt.finishing || s->owner == rt.current || thread_alone())
        return;
    if (rt.recording)
        story_name(EVENT_EXIT_OBJECT, 8, "exit()");
    struct event *op = sync_turn_to_lock(s, pc);
    object_perform(&s->now, op);
    sync_taken(s, pc);
    sched_log(op);
}

static void program_exit(int status, uint64_t pc)
{
    become_the_one(pc);
    locals_end();
    run_handlers(status, pc);
    for (int i = 0; i < final_count; i++)
        final[i]();
    timers_stop();
    flush_streams();
    last_step(status);
    thread_warn_unjoined();
    sync_warn_held();
    heap_leaks();
    sched_end_execution(OUTCOME_COMPLETE);
}

/* Main has called pthread_exit, and all threads have ended: the handlers run in the one that was the
 * last. Whoever's end nobody else knows of may have been it; main, which comes after all, chooses. */
static int the_last(void)
{
    int may_be[EVENT_MAX_THREADS], n = 0;
    for (int t = 0; t < rt.threads; t++) {
        bool known = false;
        for (int u = 0; u < rt.threads && !known; u++) {
            const struct vclock *c = &rt.all[u].clock;
            known = u != t && (uint32_t)t < c->n && c->c[t] >= rt.all[t].clock.c[t];
        }
        if (!known)
            may_be[n++] = t;
    }
    for (int t = 1; t < rt.threads; t++) {
        vclock_join(&rt.self->clock, &rt.all[t].clock);
        sched_log_followed(EV_JOIN, (uint64_t)t, (uint64_t)rt.all[t].result, 0, 0);
    }
    return may_be[sched_choose(n, 0)];
}

/* The running thread, main, lets one that has ended go on in its place. */
static void hand_over(int to)
{
    struct thread *main = rt.self, *t = &rt.all[to];
    if (to == 0)
        return;
    tset_remove(&rt.live, 0);
    main->state = THREAD_DONE;
    tset_add(&rt.live, to);
    t->state = THREAD_LOCAL;
    vclock_join(&t->clock, &main->clock);
    rt.current = to;
    rt.self = t;
    sched_log_followed(EV_JOIN, 0, (uint64_t)main->result, 0, 0);
    fiber_switch(&main->sp, t->sp, t->fs);
}

/* On any fiber, when nobody is left (or only blocked threads after main has returned): main's
 * fiber, which waits in thread_end, takes over. */
void thread_finish_program(void)
{
    struct thread *main = &rt.all[0], *ends = rt.self;
    if (rt.finishing)
        sched_end_execution(OUTCOME_COMPLETE);
    rt.finishing = true;
    tset_add(&rt.live, 0);
    main->state = THREAD_LOCAL;
    rt.current = 0;
    if (ends != main) {
        rt.self = main;
        fiber_switch(&ends->sp, main->sp, main->fs); /* it goes on if it is to be the last */
    }
    thread_main_resumed();
}

void thread_main_resumed(void)
{
    bool by_last = !rt.main_done && (handler_count || has_destructors);
    rt.main_done = true;
    if (by_last)
        hand_over(the_last());
    program_exit(rt.exit_status, 0);
    __builtin_unreachable();
}

#define MAIN_CLEARED 16384u

/* What the runtime did on main's stack before it began is no part of main's state: functions are looked up
 * when they are first needed. */
static __attribute__((noinline)) void clear_below(void)
{
    char room[MAIN_CLEARED];
    rt_fill(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

void thread_run_main(void)
{
    int argc = program.argc;
    char **argv = program.argv, **envp = program.envp;
    sym_outside_begin(&argc, &argv, &envp);
    if (RT_UNLIKELY(rt.clears))
        clear_below();
    int status = program.main(argc, argv, envp);
    sym_main_returned(status, RT_PC());
    rt.exit_status = status;
    if (rt.shared->config.exit == EXIT_KILL)
        program_exit(status, RT_PC());
    timers_stop();
    rt.main_done = rt.engine.returned = true;
    thread_end(NULL);
    __builtin_unreachable();
}

RT_EXPORT void exit(int status)
{
    if (!rt.active)
        REAL(exit)(status);
    program_exit(status, RT_CALLER());
    __builtin_unreachable();
}

RT_EXPORT void _exit(int status)
{
    if (!rt.active)
        syscall(SYS_exit_group, status);
    thread_quick_exit(status);
}

RT_EXPORT void _Exit(int status)
{
    _exit(status);
}

RT_EXPORT void quick_exit(int status)
{
    if (!rt.active)
        REAL(quick_exit)(status);
    become_the_one(RT_CALLER());
    while (quick_count > 0)
        quick_handlers[--quick_count]();
    thread_quick_exit(status);
}

static void failed(enum finding_kind kind, uint64_t pc, const char *what, const char *detail)
{
    struct finding *f = finding_new(kind, pc, 0, "%s%s", what, detail);
    finding_commit(f);
    sched_fail();
}

RT_EXPORT void abort(void)
{
    if (!rt.active)
        REAL(abort)();
    char text[200];
    uintptr_t caller = RT_PC();
    if (!rt_from_program(caller))
        rt_internal("abort() was called by raddle itself");
    uintptr_t pc = rt_caller(caller);
    if (cxx_describe_abort(caller, text, sizeof text, &pc))
        failed(FINDING_CRASH, pc, text, "");
    failed(FINDING_CRASH, pc, "abort() was called", "");
    __builtin_unreachable();
}

/* Both come from hooks.S, which has kept the registers. */
uint64_t assert_registers[STORY_REGISTERS];
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function);

#define ASSERTION(name)                                                                            \
    void hook_##name(const char *expression, const char *file, unsigned line, const char *function); \
    void hook_##name(const char *expression, const char *file, unsigned line, const char *function)  \
    {                                                                                              \
        if (!rt.active)                                                                            \
            REAL(__assert_fail)(expression, file, line, function);                                 \
        failed(FINDING_ASSERT, RT_PC(), "assertion failed: ", expression);                         \
    }
ASSERTION(__assert_fail)
ASSERTION(raddle_rt_assert_fail) /* include/raddle.h */

void raddle_rt_assume_fail(void);
RT_EXPORT void raddle_rt_assume_fail(void)
{
    if (!rt.active) { /* what the program has printed so far is kept */
        fflush(NULL);
        syscall(SYS_exit_group, 0);
    }
    sym_given_up();
    sched_leave_behind(OUTCOME_ASSUME);
}
