/* The supervisor's loop: one poll over a pidfd per worker, woken at least ten times a second to look at
 * signals (base/stop.h), budgets, pulses and the progress line.
 *
 * Patience with a worker that makes no progress (`pulse` unchanged): after config.hang_ms it gets SIGUSR2,
 * on which the runtime ends the execution with a finding; two seconds later SIGKILL, and the hang is ours
 * (death.c). The same while we wait for it to stop, but if the time is up (--time) or a signal came an
 * execution that does not come to its end is cut off and counts for nothing. */
#include "host/supervise.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "base/stop.h"
#include "explore/engine.h"
#include "host/death.h"
#include "host/outlook.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 2.0  /* seconds between SIGUSR2 and SIGKILL */
#define STARVED 8  /* times its patience */
#define START 30.0 /* seconds a program may need to reach main */
#define LAST 0.5   /* seconds an execution may go on when the time is up, or after a signal */

/* --max-executions: what all workers together may perform. Engines with strides share it by their numbers. */
static int share_budget(const struct run_config *c, int workers)
{
    const struct engine_class *engine = engine_find(c->engine);
    if (workers < 2 || c->farm || !c->max_executions || !engine || engine->strides)
        return -1;
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    return fd >= 0 && write(fd, &c->max_executions, sizeof c->max_executions) < 0 ? (close(fd), -1) : fd;
}

/* Memory for what the workers share, if the engine uses it. */
static int share_memory(struct search *s, int workers, struct error *e)
{
    const struct engine_class *engine = engine_find(s->config.engine);
    if ((workers < 2 && !s->config.farm) || !engine || !engine->portion)
        return 0;
    int fd = s->own_spec.grove = memfd_create("raddle-grove", MFD_CLOEXEC);
    void *p = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, GROVE_SIZE))
        p = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED)
        return error_set(e, EXIT_INTERNAL, "cannot set up shared memory: %s", strerror(errno));
    s->team.grove = p;
    grove_init(s->team.grove, s->team.memory);
    return 0;
}

int supervise_init(struct search *s, const struct worker_spec *spec, const struct run_config *config,
                int workers, struct error *e)
{
    ensure(workers > 0 && workers <= SUPERVISE_WORKERS);
    *s = (struct search){.own_spec = *spec, .config = *config, .record_fd = -1, .quiet = 1};
    s->spec = &s->own_spec;
    s->config.jobs = (uint32_t)(config->farm && workers < 2 ? 2 : workers);
    struct engine options = {.config = config};
    s->split_after = (double)engine_option(&options, "split_after", 200) / 1000;
    s->own_spec.team = workers > 1 || config->farm ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    s->own_spec.grove = -1;
    s->own_spec.budget = share_budget(config, workers);
    s->slots = mem_alloc((size_t)workers * sizeof *s->slots);
    team_init(&s->team, engine_memory(&options));
    if (share_memory(s, workers, e)) {
        supervise_free(s);
        return -1;
    }
    for (int i = 0; i < workers; i++) {
        if (region_create(&s->slots[i].region, &s->config, e)) {
            supervise_free(s);
            return -1;
        }
        s->slots[i].pidfd = -1;
        s->slots[i].region.shared->exchange.member = (uint32_t)i;
        s->slot_count++;
        vec_push(&s->team.members, &s->slots[i].region);
    }
    return 0;
}

void supervise_free(struct search *s)
{
    for (int i = 0; i < s->slot_count; i++)
        region_free(&s->slots[i].region);
    if (s->own_spec.team >= 0)
        close(s->own_spec.team);
    if (s->own_spec.grove >= 0)
        close(s->own_spec.grove);
    if (s->own_spec.budget >= 0)
        close(s->own_spec.budget);
    supervise_leave_farm(s);
    if (s->team.grove)
        munmap(s->team.grove, GROVE_SIZE);
    team_free(&s->team);
    free(s->slots);
    s->slots = NULL;
    s->slot_count = 0;
}

uint64_t supervise_executions(const struct search *s)
{
    uint64_t n = 0;
    if (s->farm && s->farm->farm)
        return farm_ledger(s->farm->farm)->counted.executions;
    for (int i = 0; i < s->slot_count; i++)
        n += s->slots[i].region.shared->executions;
    return n;
}

uint32_t supervise_findings(const struct search *s)
{
    uint32_t n = 0;
    for (int i = 0; i < s->slot_count; i++)
        n += s->slots[i].region.shared->finding_count;
    return n;
}

/* The worker, its isolated execution and whatever the program started before main. */
static void kill_group(pid_t pid)
{
    kill(pid, SIGKILL);
    kill(-pid, SIGKILL);
}

static int start(struct search *s, struct slot *w, struct error *e)
{
    ensure(!w->pid);
    pid_t pid = worker_start(s->spec, &w->region, s->record_fd, -1, e);
    if (pid < 0)
        return -1;
    w->pid = pid;
    w->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    w->started = w->pulse_at = progress_now();
    w->pulse_cpu = 0;
    w->pulse = atomic_load(&w->region.shared->pulse);
    w->prodded = 0;
    w->hung = 0;
    return 0;
}

static void forget(struct slot *w)
{
    if (w->pidfd >= 0)
        close(w->pidfd);
    w->pidfd = -1;
    w->pid = 0;
}

static int cannot_start(struct search *s, struct slot *w, int status, struct error *e)
{
    char said[512], how[160];
    struct shared *shared = w->region.shared;
    death_words(status, how, sizeof how);
    if (shared->incomplete[0])
        return error_set(e, EXIT_CANNOT_START, "%s cannot be run: %s", s->spec->path,
                         shared->incomplete);
    worker_start_message(s->spec, &w->region, said, sizeof said);
    error_set(e, EXIT_CANNOT_START, "%s %s before it reached main", s->spec->path, how);
    if (strstr(said, "libraddle-rt.so"))
        return error_todo(e, "%s\n        build it again with raddle cc: its runtime has moved", said);
    return said[0] ? error_todo(e, "it said: %s", said)
                   : error_todo(e, "does it run on its own?");
}

static void ask_all_to_stop(struct search *s)
{
    for (int i = 0; i < s->slot_count; i++)
        atomic_store(&s->slots[i].region.shared->stop, 1);
    team_wake(&s->team);
}

/* The region cannot be believed any more: a new one, with that as its finding. */
static int start_afresh(struct search *s, struct slot *w, struct error *e)
{
    region_free(&w->region);
    if (region_create(&w->region, &s->config, e))
        return -1;
    death_overwritten(&w->region);
    s->deaths++;
    ask_all_to_stop(s);
    return 0;
}

bool supervise_is_dead(void *search, int member)
{
    const struct search *s = search;
    siginfo_t info = {0};
    pid_t pid = s->slots[member].pid;
    return !pid || (!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid);
}

/* Signals of the program itself are caught by the runtime. */
static bool from_outside(int status)
{
    if (!WIFSIGNALED(status))
        return false;
    int signal = WTERMSIG(status);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

static uint64_t runs_of(const struct shared *s)
{
    return s->executions + s->blocked;
}

/* Killed from outside, or by the kernel for want of memory: its work since the last checkpoint is
 * done again. If that ends in the same way, it is the program's doing; not of one that only waited. */
static int redo(struct search *s, struct slot *w, int status)
{
    struct shared *shared = w->region.shared;
    const struct engine_class *engine = engine_find(s->config.engine);
    if (!from_outside(status) || w->hung || s->interrupted ||
        !engine || !engine->save || !shared->initialized ||
        (w->redone_at == runs_of(shared) + 1 && atomic_load(&shared->phase) != PHASE_WAITING))
        return 0;
    if (s->farm)
        farmhand_settle(s->farm, (uint32_t)(w - s->slots));
    else if (s->slot_count > 1)
        team_settle(&s->team, (size_t)(w - s->slots), supervise_is_dead, s);
    w->redone_at = runs_of(shared) + 1;
    s->redone++;
    shared->exchange.redo = 1;
    return 1;
}

/* Has it run all executions that are its own? */
static bool did_its_part(const struct search *s, const struct slot *w)
{
    ensure(w >= s->slots && w < s->slots + s->slot_count);
    const struct engine_class *engine = engine_find(s->config.engine);
    const struct shared *shared = w->region.shared;
    uint64_t limit = s->config.max_executions;
    return engine && engine->strides && limit && !s->farm &&
           (shared->config.keep_going || !shared->finding_count) &&
           shared->executions + shared->blocked >=
               engine_quota(limit, s->config.jobs, (uint32_t)(w - s->slots));
}

static int died_between(const struct slot *w, int status, struct error *e)
{
    char how[160];
    if (w->hung)
        return error_internal(e, "the search made no progress for long between two executions");
    death_words(status, how, sizeof how);
    error_internal(e, "the runtime %s between two executions", how);
    return error_todo(e, "(or the program wrote over raddle's memory: -fsanitize=address tells)");
}

/* The worker is gone. 0, or -1 if the whole search cannot go on (never started). */
static int ended(struct search *s, struct slot *w, int status, struct error *e)
{
    forget(w);
    w->finished = 1;
    if (!region_intact(&w->region, &s->config))
        return start_afresh(s, w, e);
    struct shared *shared = w->region.shared;
    uint32_t phase = atomic_load(&shared->phase);
    if (phase == PHASE_DONE) {
        if (!shared->complete && !did_its_part(s, w))
            ask_all_to_stop(s); /* a bug, or a limit */
        return 0;
    }
    if (shared->internal[0])
        return error_internal(e, "%s", shared->internal);
    if (w->cut_off || (phase == PHASE_STARTING && s->interrupted))
        return 0;
    if (phase == PHASE_STARTING && !w->deaths && !w->again && from_outside(status)) {
        w->again = 1;
        w->finished = 0;
        return start(s, w, e);
    }
    if (phase == PHASE_STARTING && !w->deaths)
        return cannot_start(s, w, status, e);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_RUNTIME_FAILED) {
        ask_all_to_stop(s); /* shared->incomplete says why */
        return 0;
    }
    w->deaths++;
    s->deaths++;
    if (!atomic_load(&shared->stop) && s->deaths <= s->deaths_allowed && redo(s, w, status)) {
        w->finished = 0;
        return start(s, w, e);
    }
    bool ending = s->interrupted || atomic_load(&shared->stop); /* from outside: that says nothing then */
    if (phase == PHASE_RUNNING && (w->hung || (s->interrupted < 2 && !(ending && from_outside(status)))))
        death_record(&w->region, status, w->hung);
    if (atomic_load(&shared->stop) || s->interrupted > 1)
        return 0;
    if (phase == PHASE_RUNNING && !shared->config.keep_going) {
        ask_all_to_stop(s);
        return 0;
    }
    if (phase == PHASE_BETWEEN && (w->hung || !from_outside(status)))
        return died_between(w, status, e);
    if (phase == PHASE_BETWEEN) { /* the state of the search is unknown, which is nobody's fault */
        s->killed = 1;
        ask_all_to_stop(s);
        return 0;
    }
    if (s->deaths > s->deaths_allowed) {
        s->gave_up = 1;
        ask_all_to_stop(s);
        return 0;
    }
    w->finished = 0;
    return start(s, w, e);
}

static int reap(struct search *s, struct error *e)
{
    for (int i = 0; i < s->slot_count; i++) {
        struct slot *w = &s->slots[i];
        int status;
        if (!w->pid || !supervise_is_dead(s, i))
            continue;
        kill_group(w->pid); /* nothing that it started outlives it */
        if (waitpid(w->pid, &status, 0) == w->pid && ended(s, w, status, e))
            return -1;
    }
    return 0;
}

static void watch(struct slot *w, double now)
{
    ensure(w->pid > 0);
    struct shared *shared = w->region.shared;
    uint64_t pulse = atomic_load(&shared->pulse);
    if (pulse != w->pulse || atomic_load(&shared->phase) == PHASE_WAITING) {
        w->pulse = pulse;
        w->pulse_at = now;
        w->pulse_cpu = starved_cpu(w->pid);
        w->prodded = 0;
        return;
    }
    int starting = atomic_load(&shared->phase) == PHASE_STARTING;
    double patience = starting ? START : shared->config.hang_ms / 1000.0;
    double waited = now - w->pulse_at;
    if (waited > patience && waited < STARVED * patience && starved(w->pid, w->pulse_cpu + patience / 2))
        return;
    if (w->prodded && now - w->prodded > GRACE) {
        w->hung = 1;
        kill_group(w->pid);
    } else if (!w->prodded && now - w->pulse_at > patience) {
        w->prodded = now;
        kill(w->pid, starting ? SIGKILL : SIGUSR2);
    }
}

static void stop_at_once(struct search *s)
{
    s->interrupted = 2;
    for (int i = 0; i < s->slot_count; i++)
        if (s->slots[i].pid)
            kill_group(s->slots[i].pid);
}

/* Those that came since the search began. */
static void take_signals(struct search *s)
{
    int asked = stop_asked() - s->asked_before;
    if (asked == s->asked)
        return;
    s->asked = asked;
    if (s->brief || asked > 1) {
        stop_at_once(s);
        return;
    }
    s->interrupted = 1;
    s->asked_at = progress_now();
    progress_end(&s->progress);
    if (!s->quiet)
        fprintf(stderr, "raddle: finishing; once more to stop at once\n");
    ask_all_to_stop(s);
}

static int alive(const struct search *s)
{
    for (int i = 0; i < s->slot_count; i++)
        if (s->slots[i].pid)
            return 1;
    return 0;
}

static void wait_for_news(struct search *s, bool soon)
{
    struct pollfd fds[SUPERVISE_WORKERS + 3] = {{.fd = s->own_spec.team, .events = POLLIN}};
    int n = 1;
    uint64_t count;
    for (int i = 0; i < s->slot_count; i++)
        if (s->slots[i].pid)
            fds[n++] = (struct pollfd){.fd = s->slots[i].pidfd, .events = POLLIN};
    double left = s->time ? s->progress.started + s->time - progress_now() : 1;
    int wait = s->timed_out || left > 0.1 ? 100 : left < 0 ? 0 : (int)(left * 1000) + 1;
    if (s->farm && s->farm->farm)
        n += farm_poll(s->farm->farm, fds + n, &wait);
    poll(fds, (nfds_t)n, soon && wait > 2 ? 2 : wait);
    if (s->own_spec.team >= 0 && read(s->own_spec.team, &count, sizeof count) < 0)
        return; /* nobody had called */
}

static void keep_budgets(struct search *s, double now)
{
    double over = s->time ? now - s->progress.started - s->time : -1;
    if (s->work && s->slots[0].pid) {
        worked_note(&s->worked, s->slots[0].pid, now);
        over = s->worked.seconds - s->work > over ? s->worked.seconds - s->work : over;
    }
    if (over >= 0 && !s->timed_out) {
        s->timed_out = 1;
        ask_all_to_stop(s);
    }
    if (s->interrupted && now - s->asked_at > over)
        over = now - s->asked_at;
    for (int i = 0; over >= LAST && i < s->slot_count; i++)
        if (s->slots[i].pid && !s->slots[i].cut_off) {
            s->slots[i].cut_off = 1;
            kill_group(s->slots[i].pid);
        }
    if (now - s->saved_at < 1)
        return;
    s->saved_at = now;
    for (int i = 0; i < s->slot_count && !(s->farm && s->team.grove); i++) /* there the farmhand asks */
        atomic_fetch_or(&s->slots[i].region.shared->exchange.wants, WANT_SAVE);
}

static int supervise(struct search *s, struct error *e)
{
    bool soon = false;
    while (alive(s)) {
        wait_for_news(s, soon);
        take_signals(s);
        if (reap(s, e))
            return -1;
        s->team.patient = progress_now() - s->progress.started < s->split_after;
        int farm = s->farm && alive(s) ? supervise_serve_farm(s, &soon, e) : 0;
        if (farm < 0)
            return -1;
        if (farm)
            ask_all_to_stop(s);
        if (!s->farm && s->slot_count > 1 && alive(s))
            soon = team_serve(&s->team);
        if (s->team.failed)
            return error_set(e, EXIT_INTERNAL, "a worker sent what cannot be understood");
        double now = progress_now();
        for (int i = 0; i < s->slot_count; i++)
            if (s->slots[i].pid)
                watch(&s->slots[i], now);
        keep_budgets(s, now);
        struct pace_sample so_far = outlook_now(s);
        pace_note(&s->pace, so_far);
        if (progress_due(s->above ? s->above : &s->progress))
            outlook_show(s, so_far);
    }
    return 0;
}

static void kill_all(struct search *s)
{
    for (int i = 0; i < s->slot_count; i++)
        if (s->slots[i].pid) {
            kill_group(s->slots[i].pid);
            waitpid(s->slots[i].pid, NULL, 0);
            forget(&s->slots[i]);
        }
}

int supervise_run(struct search *s, struct error *e)
{
    int status = 0;
    s->asked_before = s->brief ? stop_asked() : 0; /* whoever asked before it began is heard too */
    progress_begin(&s->progress, s->quiet);
    s->worked.at = s->progress.started;
    for (int i = 0; i < s->slot_count && !status; i++)
        status = start(s, &s->slots[i], e);
    if (!status)
        status = supervise(s, e);
    kill_all(s);
    if (!s->farm && !status)
        team_sum_bounds(&s->team);
    if (s->farm && !status)
        farmhand_finish(s->farm, s->interrupted || s->timed_out);
    take_signals(s);
    pace_note_last(&s->pace, outlook_now(s));
    progress_end(&s->progress);
    s->seconds = progress_now() - s->progress.started;
    return status;
}
