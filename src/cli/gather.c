#include "cli/gather.h"
#include "cli/nondet.h"

#include "explore/engine.h"
#include "host/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SHRINK_SECONDS 2.0
#define SHRINK_TRIES 20000

struct candidate {
    const struct region *region;
    const struct finding *finding;
};

/* ---- the whole run ---- */

static void add_text(struct report_list *l, char *text)
{
    for (size_t i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], text)) {
            free(text);
            return;
        }
    vec_push(l, text);
}

/* Names for addresses of the program without a recording: workers run without address-space
 * randomization, so a position-independent program lies where the kernel always puts it. */
static void only_program(struct tale *t, const char *path)
{
    const uint64_t base = 0x555555554000ull;
    *t = (struct tale){0};
    vec_push(&t->modules, ((struct tale_module){base, base, base + (1ull << 30), mem_strdup(path)}));
}

static char *list_counts(const uint64_t *counts, uint32_t last)
{
    struct sbuf out = {0};
    for (uint32_t i = 0; i <= last && i < BOUND_STATS; i++)
        sbuf_printf(&out, "%s%llu", i ? " " : "", (unsigned long long)counts[i]);
    return out.s;
}

static void take_bounds(struct report *r, const struct shared *s)
{
    const struct bound_stats *b = &s->bounds;
    uint32_t done = b->bound + !!b->finished;
    r->states = s->coverage.states;
    r->traces = s->coverage.traces;
    if (!b->active || r->per_bound)
        return;
    r->per_bound = list_counts(b->executions, b->bound);
    if (b->states[0])
        r->states_per_bound = list_counts(b->states, b->bound);
    r->bounded_search = done > 0 && !s->complete && !s->bounded; /* what was cut proves nothing */
    r->bound = done > 0 ? done - 1 : 0;
}

static void sum_slot(struct report *r, const struct shared *s, struct names *n)
{
    r->executions += s->executions;
    r->blocked += s->blocked;
    r->assumed += s->assumed;
    r->bounded += s->bounded;
    r->events += s->events;
    r->steps += s->steps_total;
    r->restarts += s->restarts;
    add_text(&r->workers, mem_printf("%llu %llu %.6g", (unsigned long long)(s->executions + s->blocked),
                                     (unsigned long long)s->exchange.dry,
                                     (double)s->exchange.idle_ns / 1e9));
    r->discarded += s->discarded;
    r->longest = s->max_step_count > r->longest ? s->max_step_count : r->longest;
    r->threads = s->max_thread_count > r->threads ? s->max_thread_count : r->threads;
    r->isolated |= s->isolated;
    r->complete &= s->complete;
    r->racy = s->racy_count > r->racy ? s->racy_count : r->racy;
    take_bounds(r, s);
    if (s->incomplete[0] && !r->incomplete)
        r->incomplete = mem_strdup(s->incomplete);
    if (s->divergence[0] && !r->divergence)
        r->divergence = mem_strdup(s->divergence);
    if (s->weak_orders && !r->weak)
        r->weak = mem_strdup(names_path_location(n, s->weak_pc));
    for (uint32_t i = 0; i < s->warning_count && i < SHARED_WARNINGS; i++)
        add_text(&r->warnings, s->warnings[i].pc
                                   ? mem_printf("%s: %s", names_path_location(n, s->warnings[i].pc),
                                                s->warnings[i].text)
                                   : mem_strdup(s->warnings[i].text));
}

static void why_incomplete(struct gather *g, struct report *r)
{
    const struct search *s = g->search;
    const char *why = s->interrupted ? "the search was interrupted"
                      : s->gave_up   ? "the program took its whole process down too often"
                      : s->limited   ? "the number of executions was reached (--max-executions)"
                      : s->timed_out ? "the time was up (--time)"
                                     : NULL;
    if (why && !r->complete) {
        free(r->incomplete);
        r->incomplete = mem_strdup(why);
    }
    const struct engine_class *engine = engine_find(r->engine);
    if (!r->complete && !r->incomplete && (r->findings.count || r->finding_count) && !g->config->keep_going)
        r->incomplete = mem_strdup("it stopped at the first bug (--keep-going goes on)");
    if (!r->complete && !r->incomplete && !r->bounded_search)
        r->incomplete = mem_strdup(engine && engine->endless
                                       ? "random schedules never cover everything"
                                       : "the search did not come to its end");
    if (r->complete && r->incomplete)
        r->complete = 0;
}

static void decide(struct gather *g, struct report *r)
{
    const struct run_config *c = g->config;
    why_incomplete(g, r);
    r->races_off = c->races == RACES_OFF;
    r->depth = c->depth && r->longest > c->depth ? c->depth : 0;
    if (!g->count_only)
        r->finding_count = r->findings.count;
    const char *verdict = r->finding_count           ? "bug"
                          : r->complete && !r->depth ? "safe"
                                                     : "incomplete";
    r->verdict = mem_strdup(verdict);
}

/* ---- one finding ---- */

static int worse(const void *a, const void *b)
{
    const struct finding *x = ((const struct candidate *)a)->finding,
                         *y = ((const struct candidate *)b)->finding;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->execution < y->execution ? -1 : x->execution > y->execution;
}

/* With several workers, whose executions have no common order: by place. */
static int worse_by_place(const void *a, const void *b)
{
    const struct finding *x = ((const struct candidate *)a)->finding,
                         *y = ((const struct candidate *)b)->finding;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    if (x->pc2 != y->pc2)
        return x->pc2 < y->pc2 ? -1 : 1;
    return (x->step_count > y->step_count) - (x->step_count < y->step_count);
}

static int same_place(const struct finding *x, const struct finding *y)
{
    return x->kind == y->kind &&
           ((x->pc == y->pc && x->pc2 == y->pc2) ||
            (x->kind == FINDING_RACE && x->pc == y->pc2 && x->pc2 == y->pc));
}

/* What several workers found is told once. */
static size_t drop_repeated(struct candidate *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && !same_place(all[k].finding, all[i].finding))
            k++;
        if (k == kept)
            all[kept++] = all[i];
    }
    return kept;
}

static struct job job_of(const struct gather *g, const struct candidate *c)
{
    struct job j = {.spec = g->spec, .config = *g->config, .racy = c->region->shared->racy};
    j.config.isolate = c->region->shared->config.isolate;
    j.racy_count = c->finding->racy_count;
    j.steps = region_steps(c->region, c->finding, &j.step_count);
    j.config.show_output = 0;
    return j;
}

static void shrink(const struct gather *g, const struct candidate *c, struct job *j,
                   struct job_result *result)
{
    unsigned tries = g->shrink ? SHRINK_TRIES : 0;
    if (job_shrink(j, c->finding, SHRINK_SECONDS, tries, result, NULL))
        *result = (struct job_result){0};
    if (result->steps.count && g->shrink) {
        j->steps = result->steps.items;
        j->step_count = (uint32_t)result->steps.count;
    }
}

static int record(const struct job *j, struct tale *t)
{
    struct job_result result;
    int fd = memfd_create("story", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    int failed = job_replay(j, fd, &result, NULL);
    job_result_free(&result);
    if (!failed && !tale_read(t, fd, "the recording", NULL))
        return fd;
    close(fd);
    return -1;
}

/* A worker that died could not record its own end. */
static void add_own_finding(struct tale *t, const struct finding *f)
{
    for (size_t i = 0; i < t->findings.count; i++)
        if (t->findings.items[i].finding.kind == f->kind)
            return;
    if (t->events.count || t->modules.count)
        vec_push(&t->findings, ((struct tale_finding){.finding = *f, .at = t->events.count}));
}

static void fill_options(struct schedule *s, const struct gather *g, const struct job *j)
{
    static const char *const races[] = {"report", "stop", "off"};
    const struct run_config *c = &j->config;
    char directory[4096];
    s->program = mem_strdup(g->program->path);
    s->id = mem_strdup(g->program->id);
    s->directory = getcwd(directory, sizeof directory) ? mem_strdup(directory) : NULL;
    s->input = g->spec->input >= 0 ? mem_strdup("stdin") : NULL;
    for (int i = 0; g->spec->argv[i]; i++)
        vec_push(&s->args, mem_strdup(g->spec->argv[i]));
    extern char **environ;
    for (char **v = environ; *v; v++)
        if (!strncmp(*v, "RADDLE_PARAM_", strlen("RADDLE_PARAM_")))
            vec_push(&s->environment, mem_strdup(*v));
    s->seed = c->seed;
    s->inputs_seed = c->inputs_seed;
    s->exit = mem_strdup(c->exit == EXIT_KILL ? "kill" : "drain");
    s->races = mem_strdup(races[c->races]);
    s->nondet = nondet_text(c);
    s->status = status_text(c);
    s->isolate = mem_strdup(c->isolate == ISOLATE_FORK ? "fork" : "none");
    s->granularity = c->granularity == GRANULARITY_ACCESS ? mem_strdup("access") : NULL;
    s->max_steps = c->max_steps;
    s->max_threads = c->max_threads;
    s->max_heap = c->max_heap;
    s->spurious = c->spurious;
    for (uint32_t i = 0; i < j->step_count; i++)
        vec_push(&s->steps, j->steps[i]);
}

/* Of a deadlock the place that matters is where a thread waits for what another one holds. */
static uint64_t blocked_at(const struct finding *f, uint64_t otherwise)
{
    for (uint32_t i = 0; i < f->fact_count; i++)
        if (strstr(f->facts[i].text, "held by thread"))
            return f->facts[i].pc;
    return otherwise;
}

static void fill_finding(struct report_finding *f, const struct finding *found, const struct job *j)
{
    struct schedule *s = &f->schedule;
    struct names n;
    names_init(&n, &f->tale);
    s->kind = mem_strdup(finding_name(found->kind));
    s->where = found->pc ? tale_place(&f->tale, found->pc) : NULL;
    s->other = found->pc2 ? tale_place(&f->tale, found->pc2) : NULL;
    const struct tale_finding *t = report_told(f);
    uint64_t pc = t && t->finding.pc ? t->finding.pc : found->pc;
    uint64_t shown = t ? report_place(&n, t) : pc;
    s->message = mem_strdup(found->message);
    if (t && found->kind == FINDING_DEADLOCK)
        shown = blocked_at(&t->finding, shown);
    s->location = shown ? mem_strdup(names_path_location(&n, shown)) : NULL;
    s->at_step = t ? t->finding.at_step : found->at_step;
    for (uint32_t i = 0; i < j->racy_count; i++) {
        char *place = tale_place(&f->tale, j->racy[i]);
        if (place)
            vec_push(&s->racy, place);
    }
    names_free(&n);
}

static void tell(struct gather *g, struct report *r, const struct candidate *c)
{
    struct report_finding f = {0};
    struct job j = job_of(g, c);
    struct job_result shorter = {0};
    int story = -1;
    if (c->finding->steps) {
        shrink(g, c, &j, &shorter);
        story = record(&j, &f.tale);
    }
    if (story < 0)
        only_program(&f.tale, g->program->path);
    fill_options(&f.schedule, g, &j);
    add_own_finding(&f.tale, c->finding);
    fill_finding(&f, c->finding, &j);
    f.schedule.preemptions = shorter.preemptions;
    if (g->directory)
        f.file = r->findings.count == 0
                     ? mem_strdup(g->directory)
                     : mem_printf("%s/%s", g->directory,
                                  report_file_name("schedule", r->findings.count));
    job_result_free(&shorter);
    vec_push(&r->findings, f);
    vec_push(&g->stories, story);
}

static void tell_findings(struct gather *g, struct report *r, struct names *n)
{
    VEC(struct candidate) all = {0};
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct region *region = &g->search->slots[i].region;
        const struct shared *s = region->shared;
        for (uint32_t k = 0; k < s->finding_count && k < SHARED_FINDINGS; k++) {
            const struct finding *f = &s->findings[k];
            if (f->kind >= FINDING_LEAK)
                add_text(&r->warnings, mem_printf("%s: %s", names_path_location(n, f->pc), f->message));
            else
                vec_push(&all, ((struct candidate){region, f}));
        }
    }
    if (all.count)
        qsort(all.items, all.count, sizeof all.items[0],
              g->search->slot_count > 1 ? worse_by_place : worse);
    if (g->search->slot_count > 1)
        all.count = drop_repeated(all.items, all.count);
    r->finding_count = all.count;
    for (size_t i = 0; i < all.count && i < GATHER_FINDINGS && !g->count_only; i++)
        tell(g, r, &all.items[i]);
    if (all.count > GATHER_FINDINGS && !g->count_only)
        add_text(&r->warnings, mem_printf("%zu further findings are not told; fix these first",
                                          all.count - GATHER_FINDINGS));
    vec_free(&all);
}

void gather_report(struct gather *g, struct report *r)
{
    const struct engine_class *engine = engine_find(g->config->engine);
    struct tale program;
    struct names n;
    only_program(&program, g->program->path);
    names_init(&n, &program);
    r->program = mem_strdup(g->program->path);
    r->engine = mem_strdup(g->config->engine);
    r->guarantee = mem_strdup(engine ? engine->guarantee : "");
    r->bound_unit = mem_strdup(engine && engine->bound_unit ? engine->bound_unit : "");
    r->seed = g->config->seed;
    r->seconds = g->search->seconds;
    r->deaths = (uint64_t)g->search->deaths;
    r->complete = 1;
    r->directory = g->directory ? mem_strdup(g->directory) : NULL;
    r->estimate = g->search->estimate;
    r->spread = g->search->spread;
    r->fraction = g->search->fraction;
    r->restarts = g->search->team.restarts;
    for (int i = 0; i < g->search->slot_count; i++)
        sum_slot(r, g->search->slots[i].region.shared, &n);
    tell_findings(g, r, &n);
    decide(g, r);
    if (r->complete && r->estimate > 0) {
        r->estimate = (double)(r->executions + r->blocked);
        r->spread = 0;
        r->fraction = 1;
    }
    names_free(&n);
    tale_free(&program);
}

void gather_free(struct gather *g)
{
    for (size_t i = 0; i < g->stories.count; i++)
        if (g->stories.items[i] >= 0)
            close(g->stories.items[i]);
    vec_free(&g->stories);
}

char *gather_racy_names(const struct schedule *s)
{
    struct sbuf out = {0};
    for (size_t i = 0; i < s->racy.count; i++)
        sbuf_printf(&out, "%s\n", s->racy.items[i]);
    return out.s ? out.s : mem_strdup("");
}
