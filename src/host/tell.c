/* The findings of a search: each is replayed in a fresh process before anything is said about it, then
 * made shorter, recorded and named, as far as the time allows (gather.h). What does not appear again is
 * no finding; why it was seen at all is the search's affair (gather_wants_isolation). */
#include "host/gather.h"

#include "base/ensure.h"
#include "base/stop.h"
#include "host/jobs.h"
#include "host/kept.h"
#include "report/identity.h"
#include "report/steps.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SHRINK_SECONDS 3.0 /* of work, on a busy machine as much as on an idle one (jobs.h) */
#define FATE_SECONDS 1.0
#define FEWER_SECONDS 1.0
#define SHRINK_TRIES 20000

enum replayed { NOT_REPLAYED, REPRODUCED, NOT_REPRODUCED };

struct candidate {
    const struct region *region;
    const struct finding *finding;
    enum replayed replayed;
};

typedef VEC(struct candidate) candidates;

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

/* What several workers found is told once. */
static size_t drop_repeated(struct candidate *all, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && !finding_same(finding_id(all[k].finding), finding_id(all[i].finding)))
            k++;
        if (k == kept)
            all[kept++] = all[i];
    }
    return kept;
}

/* ---- time ---- */

static int out_of_time(const struct gather *g)
{
    return stop_asked() > g->asked || (g->deadline && progress_now() >= g->deadline);
}

static int is_late(const struct job *j)
{
    return j->deadline && progress_now() >= j->deadline;
}

/* When the i-th of them must be done: what is left is shared, half of it for the first. */
static double share_until(const struct gather *g, size_t i, size_t count)
{
    double now = progress_now(), left = g->deadline - now;
    return g->deadline ? now + left / (double)(i == 0 && count > 1 ? 2 : count - i) : 0;
}

/* ---- again, in fresh processes ---- */

static struct job job_of(const struct gather *g, const struct candidate *c)
{
    struct job j = {.spec = &g->silent, .config = *g->config, .racy = c->region->shared->racy};
    j.config.isolate = c->region->shared->config.isolate;
    j.racy_count = c->finding->racy_count;
    if (c->finding->racy)
        j.racy = region_at(c->region, c->finding->racy, j.racy_count * sizeof *j.racy);
    j.racy_count = j.racy ? j.racy_count : 0;
    j.steps = region_steps(c->region, c->finding, &j.step_count);
    j.config.show_output = 0;
    j.deadline = g->deadline;
    const struct shared *s = c->region->shared;
    size_t at = (size_t)(c->finding - s->findings);
    if (at < SHARED_FINDINGS)
        snprintf(j.config.inputs, sizeof j.config.inputs, "%.*s", SHARED_INPUTS - 1,
                 s->finding_inputs[at]);
    return j;
}

static void note_internal(struct gather *g, const struct error *e)
{
    if (e->ours && !g->internal.ours)
        g->internal = *e;
}

/* A schedule that was lost (a wild write) cannot be followed: that it happens again in the next search
 * is as much as can be known. */
static enum replayed replay(struct gather *g, const struct candidate *c)
{
    struct job j = job_of(g, c);
    struct job_result result;
    struct error e = {0};
    enum replayed how = NOT_REPLAYED;
    if (!c->finding->steps)
        return g->lost_before ? REPRODUCED : NOT_REPRODUCED;
    for (int tries = 0; tries < 2 && how == NOT_REPLAYED && !out_of_time(g); tries++) {
        int failed = job_replay(&j, NULL, -1, &result, &e);
        note_internal(g, &e);
        if (failed)
            continue;
        how = job_shows(&result, c->finding) ? REPRODUCED
              : result.late || result.interrupted ? NOT_REPLAYED : NOT_REPRODUCED;
        job_result_free(&result);
    }
    return how;
}

/* One with fewer preemptions, which icb comes upon, is shrunk in turn and takes the place of the result. */
static void search_fewer(struct gather *g, const struct candidate *c, const struct job *j,
                         struct job_result *result)
{
    struct error e = {0};
    struct job_result fewer = {0}, shorter = {0};
    struct job other = *j;
    if (out_of_time(g) || is_late(j) ||
        job_fewer(j, c->finding, result->preemptions, FEWER_SECONDS, &fewer, &e) || !fewer.steps.count)
        return;
    other.steps = fewer.steps.items;
    other.step_count = (uint32_t)fewer.steps.count;
    if (!job_shrink(&other, c->finding, FEWER_SECONDS, SHRINK_TRIES, &shorter, &e) && shorter.counted &&
        shorter.preemptions < result->preemptions) {
        job_result_free(result);
        *result = shorter;
        shorter = (struct job_result){0};
    }
    job_result_free(&fewer);
    job_result_free(&shorter);
}

static void shrink(struct gather *g, const struct candidate *c, struct job *j,
                   struct job_result *result)
{
    struct error e = {0};
    unsigned tries = g->shrink && c->finding->kind != FINDING_LIVELOCK ? SHRINK_TRIES : 0;
    if (out_of_time(g) || is_late(j) || job_shrink(j, c->finding, SHRINK_SECONDS, tries, result, &e))
        *result = (struct job_result){0};
    note_internal(g, &e);
    if (tries && result->counted && result->preemptions > 1)
        search_fewer(g, c, j, result);
}

/* A recording of the execution, which must show the finding; -1 = none. */
static int record(struct gather *g, const struct job *j, const struct finding *f, struct tale *t)
{
    struct error e = {0};
    struct job_result result;
    int fd = memfd_create("story", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    int failed = job_replay(j, f, fd, &result, &e), shown = !failed && job_shows(&result, f);
    note_internal(g, &e);
    job_result_free(&result);
    if (shown && !tale_read(t, fd, "the recording", NULL))
        return fd;
    close(fd);
    return -1;
}

/* The shorter schedule if that shows the finding in a fresh process too. */
static int shorten_and_record(struct gather *g, const struct candidate *c, struct job *j,
                              struct job_result *shorter, struct tale *t)
{
    shrink(g, c, j, shorter);
    if (shorter->steps.count && g->shrink) {
        struct job other = *j;
        other.steps = shorter->steps.items;
        other.step_count = (uint32_t)shorter->steps.count;
        int story = out_of_time(g) ? -1 : record(g, &other, c->finding, t);
        if (story >= 0) {
            *j = other;
            return story;
        }
        shorter->counted = 0;
    }
    return out_of_time(g) ? -1 : record(g, j, c->finding, t);
}

/* ---- telling ---- */

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
    for (const char *p = c->inputs; *p;) {
        size_t n = strcspn(p, "\n");
        vec_push(&s->inputs, mem_strndup(p, n));
        p += n + (p[n] == '\n');
    }
    kept_write(c, s);
    s->inputs_seed = c->inputs_seed;
    for (uint32_t i = 0; i < j->step_count; i++)
        vec_push(&s->steps, j->steps[i]);
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
    s->location = shown ? mem_strdup(names_path_location(&n, shown)) : NULL;
    s->at_step = t ? t->finding.at_step : found->at_step;
    for (uint32_t i = 0; i < j->racy_count; i++) {
        char *place = tale_place(&f->tale, j->racy[i]);
        if (place)
            vec_push(&s->racy, place);
    }
    names_free(&n);
}

/* In words, for what is not told as a finding. */
static char *describe(const struct gather *g, const struct finding *f)
{
    struct tale program;
    struct names n;
    gather_only_program(&program, g->program->path);
    names_init(&n, &program);
    char *text = mem_printf("%s, %s", words_about(&n, f->message, f->object, 0),
                            f->pc ? names_path_location(&n, f->pc) : "at an unknown place");
    names_free(&n);
    tale_free(&program);
    return text;
}

static int told_before(const struct gather *g, const struct finding *f)
{
    for (size_t i = 0; i < g->told.count; i++)
        if (finding_same(finding_id(&g->told.items[i].found), finding_id(f)))
            return 1;
    return 0;
}

static void collect(const struct gather *g, candidates *all)
{
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct region *region = &g->search->slots[i].region;
        const struct shared *s = region->shared;
        for (uint32_t k = 0; k < s->finding_count && k < SHARED_FINDINGS; k++)
            if (s->findings[k].kind < FINDING_LEAK && !told_before(g, &s->findings[k]))
                vec_push(all, ((struct candidate){region, &s->findings[k], NOT_REPLAYED}));
    }
    if (all->count)
        qsort(all->items, all->count, sizeof all->items[0],
              g->search->slot_count > 1 ? worse_by_place : worse);
    if (g->search->slot_count > 1)
        all->count = drop_repeated(all->items, all->count);
}

/* ---- one entry for each problem ---- */

static char *race_field(const struct gather_told *t)
{
    struct names n;
    names_init(&n, &t->finding.tale);
    char *field = identity_field(&n, &t->finding);
    names_free(&n);
    return field;
}

static void add_pair(const struct gather *g, struct gather_told *to, const struct finding *f)
{
    ensure(f->kind == FINDING_RACE && to->found.kind == FINDING_RACE);
    struct tale program;
    struct names n;
    gather_only_program(&program, g->program->path);
    names_init(&n, &program);
    char *pair = mem_printf("%s (%s) with %s (%s)", names_location(&n, f->pc2),
                            f->facts[0].kind == FACT_HAS_WRITTEN ? "write" : "read",
                            names_location(&n, f->pc), f->facts[1].kind == FACT_WRITES ? "write" : "read");
    names_free(&n);
    tale_free(&program);
    struct schedule_list *pairs = &to->finding.schedule.pairs;
    for (size_t i = 0; i < pairs->count; i++)
        if (!strcmp(pairs->items[i], pair)) {
            free(pair);
            return;
        }
    vec_push(pairs, pair);
}

/* The race that was told for the same memory: addresses mean the same in all executions. */
static struct gather_told *same_memory(struct gather *g, const struct finding *f)
{
    for (size_t i = 0; i < g->told.count; i++)
        if (f->kind == FINDING_RACE && g->told.items[i].found.kind == FINDING_RACE &&
            g->told.items[i].found.object == f->object)
            return &g->told.items[i];
    return NULL;
}

static struct gather_told *same_field(struct gather *g, const struct gather_told *t)
{
    char *field = race_field(t);
    struct gather_told *found = NULL;
    for (size_t i = 0; i < g->told.count && field && !found; i++) {
        char *other = race_field(&g->told.items[i]);
        found = other && !strcmp(field, other) ? &g->told.items[i] : NULL;
        free(other);
    }
    free(field);
    return found;
}

/* Replays it; what does not appear is kept in words. */
static int confirmed(struct gather *g, struct candidate *c)
{
    c->replayed = out_of_time(g) ? NOT_REPLAYED : replay(g, c);
    g->lost += !c->finding->steps;
    g->livelocks += c->replayed == NOT_REPRODUCED && c->finding->kind == FINDING_LIVELOCK;
    if (c->replayed != REPRODUCED)
        vec_push(c->replayed == NOT_REPLAYED ? &g->unreplayed : &g->unreproduced, describe(g, c->finding));
    return c->replayed == REPRODUCED;
}

/* From which step on it could not be avoided any more. */
static void find_fate(struct gather *g, const struct candidate *c, const struct job *j,
                      struct report_finding *f)
{
    struct error e = {0};
    struct fate_found fate;
    if (c->finding->kind == FINDING_RACE || c->finding->kind == FINDING_LIVELOCK || !g->shrink ||
        out_of_time(g) || is_late(j) || job_fate(j, FATE_SECONDS, &fate, &e))
        return;
    note_internal(g, &e);
    f->schedule.doomed = (uint64_t)fate.doomed;
    f->schedule.avoidable = (uint64_t)(fate.avoidable + 1);
}

/* It is said that it is there, no more. */
static int is_known(struct gather *g, struct report_finding *f)
{
    const char *by = g->known ? known_by(g->known, f) : NULL;
    struct names n;
    if (!by)
        return 0;
    names_init(&n, &f->tale);
    const char *location = f->schedule.location, *message = report_message(&n, f);
    size_t length = finding_find(f->schedule.kind) == FINDING_RACE ? strcspn(message, ":") : strlen(message);
    vec_push(&g->known_ones, mem_printf("%.*s%s%s (%s)", (int)length, message, location ? ", " : "",
                                        location ? location : "", by));
    names_free(&n);
    return 1;
}

/* Nobody is to wonder where the steps are. */
static void say_unrecorded(struct gather *g, const struct candidate *c)
{
    char *what = describe(g, c->finding);
    const char *why = !c->finding->steps ? "its schedule was lost"
                      : out_of_time(g)   ? "there was no time left to record them"
                                         : "recording them failed, or took longer than --hang allows (the "
                                           "schedule can be replayed)";
    vec_push(&g->unrecorded, mem_printf("told without its steps: %s; %s", what, why));
    free(what);
}

/* A recording that shows it is a replay as good as any. */
static void tell(struct gather *g, struct candidate *c, size_t i, size_t count)
{
    struct gather_told told = {.found = *c->finding, .story = -1};
    struct report_finding *f = &told.finding;
    struct job j = job_of(g, c);
    struct job_result shorter = {0};
    char about[60];
    snprintf(about, sizeof about, "finding %zu of %zu", i + 1, count);
    j.deadline = share_until(g, i, count);
    j.progress = &g->progress;
    j.about = about;
    if (c->finding->steps && !out_of_time(g))
        told.story = shorten_and_record(g, c, &j, &shorter, &f->tale);
    if (told.story < 0 && c->replayed != REPRODUCED && !confirmed(g, c)) {
        job_result_free(&shorter);
        return;
    }
    if (told.story < 0) {
        gather_only_program(&f->tale, g->program->path);
        say_unrecorded(g, c);
    }
    fill_options(&f->schedule, g, &j);
    add_own_finding(&f->tale, c->finding);
    fill_finding(f, c->finding, &j);
    f->schedule.preemptions = shorter.preemptions;
    f->schedule.counted = (uint64_t)shorter.counted;
    int known = is_known(g, f);
    if (!known && !g->told.count && told.story >= 0)
        find_fate(g, c, &j, f);
    job_result_free(&shorter);
    struct gather_told *before = known ? NULL : same_field(g, &told);
    if (before)
        add_pair(g, before, &told.found);
    if (before || known) {
        gather_told_free(&told);
        return;
    }
    vec_push(&g->told, told);
    g->found++;
}

/* Only those that appear again stay. Without a limit those that will be recorded wait for that. */
static void replay_all(struct gather *g, candidates *all, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < all->count; i++) {
        int waits = !g->deadline && !g->count_only && i < GATHER_FINDINGS && all->items[i].finding->steps;
        if (progress_due(&g->progress))
            progress_line(&g->progress, "replaying finding %zu of %zu", i + 1, all->count);
        if (waits || confirmed(g, &all->items[i]))
            all->items[kept++] = all->items[i];
    }
    all->count = kept;
}

void gather_findings(struct gather *g)
{
    candidates all = {0};
    g->asked = g->search->asked_before + g->search->asked;
    g->silent = *g->spec;
    g->silent.show_output = 0;
    progress_begin(&g->progress, g->quiet);
    collect(g, &all);
    /* With a limit the worst one is told first: replaying the others may take all the time there is. */
    size_t from = g->deadline && !g->count_only && all.count && all.items[0].finding->steps;
    if (from)
        tell(g, &all.items[0], 0, all.count);
    replay_all(g, &all, from);
    for (size_t i = from; i < all.count; i++) {
        if (g->count_only || g->told.count >= GATHER_FINDINGS) {
            g->found += all.count - i;
            break;
        }
        struct gather_told *same = same_memory(g, all.items[i].finding);
        if (same) {
            if (all.items[i].replayed == REPRODUCED || confirmed(g, &all.items[i]))
                add_pair(g, same, all.items[i].finding);
            continue;
        }
        tell(g, &all.items[i], i, all.count < GATHER_FINDINGS ? all.count : GATHER_FINDINGS);
    }
    progress_end(&g->progress);
    vec_free(&all);
}
