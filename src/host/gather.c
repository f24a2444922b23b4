#include "host/gather.h"

#include "base/ensure.h"
#include "base/stop.h"
#include "explore/engine.h"
#include "host/advice.h"
#include "host/unfolding.h"
#include "report/lines.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
void gather_only_program(struct tale *t, const char *path)
{
    const uint64_t base = 0x555555554000ull;
    *t = (struct tale){0};
    vec_push(&t->modules, ((struct tale_module){base, base, base + (1ull << 30), mem_strdup(path)}));
}

static char *list_counts(const uint64_t *counts, uint32_t last)
{
    ensure(counts != NULL);
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
    r->graph_states = s->graph.states;
    r->transitions = s->graph.transitions;
    r->net_places = s->graph.places;
    r->net_transitions = s->graph.moves;
    r->net_events = s->graph.events;
    r->net_cut = s->graph.cut;
    if (!b->active || r->per_bound)
        return;
    r->per_bound = list_counts(b->executions, b->bound);
    r->blocking = b->blocking;
    for (uint32_t i = 0; i <= b->bound && i < BOUND_STATS; i++)
        r->most_bound = b->executions[i] ? i : r->most_bound;
    if (b->states[0])
        r->states_per_bound = list_counts(b->states, b->bound);
    r->bounded_search = done > 0 && !s->complete && !s->bounded; /* what was cut proves nothing */
    r->bound = done > 0 ? done - 1 : 0;
}

/* "steps 20000 --max-steps", each once. */
static void take_limits(struct report *r, const struct limits *l)
{
    ensure(l->reached >> LIMITS == 0);
    for (unsigned i = 0; i < LIMITS; i++)
        if (l->reached >> i & 1)
            add_text(&r->limits, mem_printf("%s %llu %s", limit_name(i), (unsigned long long)l->at[i],
                                            limit_option(i)));
}

/* All reasons in one text: what is not modelled, and the limits. */
static void add_limits(struct report *r, const struct limits *l)
{
    char words[300];
    for (unsigned i = 0; i < LIMITS; i++) {
        if (!(l->reached >> i & 1))
            continue;
        limit_words(i, l->at[i], words, sizeof words);
        if (r->incomplete && strstr(r->incomplete, words))
            continue;
        char *both = r->incomplete ? mem_printf("%s; %s", r->incomplete, words) : mem_strdup(words);
        free(r->incomplete);
        r->incomplete = both;
    }
}

static void sum_solver(struct report *r, const struct solver_work *w)
{
    double share = w->all_ns ? (double)w->ns / (double)w->all_ns : 0;
    if (w->asked) /* of several workers the mean */
        r->solver_share = (r->solver_share * (double)r->solver_asked + share * (double)w->asked) /
                          (double)(r->solver_asked + w->asked);
    r->solver_asked += w->asked;
    r->solver_constant += w->constant;
    r->solver_bytes += w->bytes;
    r->solver_tried += w->tried;
    r->solver_cached += w->cached;
    r->solver_sat += w->sat;
    r->solver_impossible += w->impossible;
    r->solver_unknown += w->unknown;
    r->solver_repairs += w->repairs;
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
    sum_solver(r, &s->solver);
    take_bounds(r, s);
    take_limits(r, &s->limits);
    r->lost += s->lost.count;
    if (s->incomplete[0] && !r->incomplete)
        r->incomplete = mem_strdup(s->incomplete);
    if (s->divergence[0] && !r->divergence)
        r->divergence = mem_strdup(words_divergence(n, s->divergence));
    if (s->weak_orders && !r->weak)
        r->weak = mem_strdup(names_path_location(n, s->weak_pc));
    for (uint32_t i = 0; i < s->warning_count && i < SHARED_WARNINGS; i++)
        add_text(&r->warnings, s->warnings[i].pc
                                   ? mem_printf("%s: %s", names_path_location(n, s->warnings[i].pc),
                                                s->warnings[i].text)
                                   : mem_strdup(s->warnings[i].text));
}

static bool ended_farm(const struct search *s)
{
    return s->farm && s->farm->farm && farm_ledger(s->farm->farm)->stop == LEDGER_ASKED;
}

static void why_incomplete(struct gather *g, struct report *r)
{
    const struct search *s = g->search;
    const char *why = s->interrupted ? "the search was interrupted"
                      : s->gave_up   ? "the program took its whole process down too often"
                      : s->killed    ? "a worker was killed from outside, or for want of memory"
                      : s->cut       ? "this participant was cut off from the farm; others can go on"
                      : s->limited   ? "the number of executions was reached (--max-executions)"
                      : s->timed_out ? "the time was up (--time)"
                      : ended_farm(s) ? "the farm was told to stop (raddle farm stop)"
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

/* What was seen and not confirmed leaves the search without a verdict. */
static void take_doubts(const struct gather *g, struct report *r)
{
    size_t n = g->unreproduced.count + g->unreplayed.count + g->unexplained;
    r->unreproduced = n;
    if (!n)
        return;
    r->complete = r->bounded_search = 0;
    free(r->incomplete);
    r->incomplete = mem_printf("%zu finding%s %s", n, n == 1 ? "" : "s",
                               g->unreproduced.count || g->unexplained ? "could not be reproduced"
                                                                       : "could not be replayed in time");
}

static bool is_symmetric(const struct gather *g)
{
    for (int i = 0; i < g->search->slot_count; i++)
        if (g->search->slots[i].region.shared->alike)
            return true;
    return false;
}

/* What was explored, and how often as far as that is known: what happened, not what is promised. */
static void tell_guarantee(const struct gather *g, struct report *r)
{
    const struct engine_class *engine = engine_find(r->engine);
    bool repeats = engine && engine->never_gives_up && r->blocked && !g->program->sections;
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct shared *s = g->search->slots[i].region.shared;
        char instead[sizeof s->instead + 1] = {0};
        memcpy(instead, s->instead, sizeof s->instead); /* the program can have written there */
        if (engine_find(instead))
            engine = engine_find(instead);
        repeats |= s->repeats;
    }
    if (is_symmetric(g))
        vec_push(&r->reductions,
                 mem_strdup("threads that are alike (the same function, the same argument, told apart "
                            "by nobody) were explored in one order: --symmetry off explores all"));
    enum engine_times times = engine ? engine->times : TIMES_UNSAID;
    if (times != TIMES_UNSAID)
        r->times = mem_strdup(times == TIMES_ONCE && !repeats ? "exactly once" : "at least once");
    if (r->bounded_search && !r->complete)
        r->guarantee = mem_printf("every execution with at most %llu %s%s", (unsigned long long)r->bound,
                                  r->bound_unit, r->bound == 1 ? "" : "s");
    else
        r->guarantee = mem_strdup(engine ? engine->guarantee : "");
}

static void decide(struct gather *g, struct report *r)
{
    const struct run_config *c = g->config;
    why_incomplete(g, r);
    take_doubts(g, r);
    tell_guarantee(g, r);
    r->races_off = c->races == RACES_OFF;
    r->depth = c->depth && r->longest > c->depth ? c->depth : 0;
    if (!g->count_only && (!r->findings.count || (!r->lost && r->findings.count < GATHER_FINDINGS)))
        r->finding_count = r->findings.count;
    const char *verdict = r->finding_count           ? "bug"
                          : r->complete && !r->depth ? "safe"
                                                     : "incomplete";
    r->verdict = mem_strdup(verdict);
}

/* ---- the findings ---- */

static int worse(const void *a, const void *b)
{
    const struct gather_told *x = a, *y = b;
    int lost = !x->found.steps - !y->found.steps; /* no schedule to show: never first */
    return lost ? lost : (x->found.kind > y->found.kind) - (x->found.kind < y->found.kind);
}

static void name_file(const struct gather *g, struct report_finding *f, size_t i)
{
    if (g->directory)
        f->file = i == 0 ? mem_strdup(g->directory)
                         : mem_printf("%s/%s", g->directory, report_file_name("schedule", i));
}

/* Worst first; those of a second search stand behind the first one's. */
static void take_told(struct gather *g, struct report *r)
{
    for (size_t i = 1; i < g->told.count; i++) /* stable, and there are few */
        for (size_t k = i; k && worse(&g->told.items[k - 1], &g->told.items[k]) > 0; k--) {
            struct gather_told other = g->told.items[k];
            g->told.items[k] = g->told.items[k - 1];
            g->told.items[k - 1] = other;
        }
    for (size_t i = 0; i < g->told.count; i++) {
        name_file(g, &g->told.items[i].finding, i);
        vec_push(&r->findings, g->told.items[i].finding);
        vec_push(&g->stories, g->told.items[i].story);
    }
    for (size_t i = 0; i < g->known_ones.count; i++)
        add_text(&r->known, mem_strdup(g->known_ones.items[i]));
    r->finding_count = g->found + r->lost;
    if (r->finding_count > g->told.count && !g->count_only)
        add_text(&r->warnings, mem_printf("%llu further findings are not told; fix these first",
                                          (unsigned long long)r->finding_count - g->told.count));
}

static void take_warnings(struct gather *g, struct report *r, struct names *n)
{
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct shared *s = g->search->slots[i].region.shared;
        for (uint32_t k = 0; k < s->finding_count && k < SHARED_FINDINGS; k++)
            if (s->findings[k].kind >= FINDING_LEAK)
                add_text(&r->warnings, mem_printf("%s: %s", names_path_location(n, s->findings[k].pc),
                                                  s->findings[k].message));
    }
    for (size_t i = 0; i < g->artefacts.count && !g->lost; i++)
        add_text(&r->warnings, mem_printf("not reproduced: %s; a fresh process did not show it again, so "
                                          "each execution ran in one of its own (--isolate fork)",
                                          g->artefacts.items[i]));
    for (size_t i = 0; i < g->unreproduced.count; i++)
        add_text(&r->warnings, mem_printf("not reproduced: %s; a fresh process that followed its "
                                          "schedule did not show it again", g->unreproduced.items[i]));
    for (size_t i = 0; i < g->unreplayed.count; i++)
        add_text(&r->warnings, mem_printf("not replayed in time: %s; it was seen once, which proves "
                                          "nothing", g->unreplayed.items[i]));
    for (size_t i = 0; i < g->unrecorded.count; i++)
        add_text(&r->warnings, mem_strdup(g->unrecorded.items[i]));
}

int gather_wants_isolation(const struct gather *g)
{
    const struct search *s = g->search;
    for (int i = 0; i < s->slot_count; i++)
        if (s->slots[i].region.shared->config.isolate == ISOLATE_FORK)
            return 0;
    return g->unreproduced.count && !s->interrupted && stop_asked() == g->asked;
}

void gather_next_search(struct gather *g)
{
    for (size_t i = 0; i < g->unreproduced.count; i++)
        vec_push(&g->artefacts, g->unreproduced.items[i]);
    g->unreproduced.count = 0;
    g->unexplained = g->livelocks;
    g->lost_before = g->lost;
    g->lost = 0;
    for (int i = 0; i < g->search->slot_count; i++)
        g->executions_before += g->search->slots[i].region.shared->executions;
}

/* How the search went along. */
static void take_course(const struct gather *g, struct report *r, struct names *n)
{
    const struct pace *p = &g->search->pace;
    for (int i = 0; i < p->count; i++)
        vec_push(&r->pace, mem_printf("%.3f %llu %.6g %.6g", p->samples[i].seconds,
                                      (unsigned long long)p->samples[i].executions, p->samples[i].estimate,
                                      p->samples[i].spread));
    const struct coverage *c = &g->search->slots[0].region.shared->coverage;
    uint32_t count = c->count < COVERAGE_SAMPLES ? c->count : 0;
    for (uint32_t i = 0; i < count; i++)
        vec_push(&r->growth, mem_printf("%llu %u %llu %llu", (unsigned long long)c->samples[i].executions,
                                        c->samples[i].bound, (unsigned long long)c->samples[i].states,
                                        (unsigned long long)c->samples[i].traces));
    unfolding_take(&g->search->slots[0].region, g->config, n, r);
    if (!g->config->places)
        return;
    for (int i = 0; i < g->search->slot_count; i++)
        lines_add(r, n, &g->search->slots[i].region.shared->places);
    lines_finish(r, n, g->program->path);
}

/* Was property k seen to hold? A deadlock is a finding by itself. */
static bool property_was_seen(const struct gather *g, const char *text, int k)
{
    bool deadlock = !strcmp(text + strspn(text, " "), "deadlock");
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct shared *s = g->search->slots[i].region.shared;
        for (uint32_t f = 0; f < s->finding_count; f++)
            if (deadlock ? s->findings[f].kind == FINDING_DEADLOCK
                         : s->findings[f].kind == FINDING_PROPERTY && s->findings[f].pc2 == (uint64_t)k + 1)
                return true;
    }
    return false;
}

/* Did everything found leave its execution to go on to its end? What others would have done after a failed
 * assertion or a crash was not seen. */
static bool all_went_on(const struct gather *g, const struct report *r)
{
    for (int i = 0; i < g->search->slot_count; i++) {
        const struct shared *s = g->search->slots[i].region.shared;
        for (uint32_t f = 0; f < s->finding_count && f < SHARED_FINDINGS; f++) {
            unsigned kind = s->findings[f].kind;
            if (kind != FINDING_PROPERTY && kind != FINDING_DEADLOCK && kind != FINDING_LEAK &&
                (kind != FINDING_RACE || s->config.races == RACES_STOP))
                return false;
        }
    }
    return !r->lost;
}

/* Was the property, the K-th that was asked for, seen to hold? "unknown" says why. */
static char *answer_to(const struct gather *g, const struct report *r, const char *property, int k)
{
    if (property_was_seen(g, property, k))
        return mem_strdup("yes");
    if (r->incomplete || !r->complete)
        return mem_printf("unknown, %s",
                          r->incomplete ? r->incomplete : "the search did not come to its end");
    if (!all_went_on(g, r))
        return mem_strdup("unknown, executions ended where something else was found");
    return mem_strdup("no");
}

static void take_properties(const struct gather *g, struct report *r)
{
    const char *p = g->config->property;
    for (int k = 0; *p; k++, p += strspn(p, ";")) {
        char *text = mem_strndup(p, strcspn(p, ";"));
        char *answer = answer_to(g, r, text, k);
        p += strcspn(p, ";");
        add_text(&r->properties, mem_printf("property %s: %s", text, answer));
        free(answer);
        free(text);
    }
}

/* Did the search stop because of --max-executions, and for no other limit? */
static int too_many(const struct search *s)
{
    uint64_t reached = 0;
    for (int i = 0; i < s->slot_count; i++)
        reached |= s->slots[i].region.shared->limits.reached;
    return s->limited || reached == 1ull << LIMIT_EXECUTIONS;
}

/* Did only a budget end the search? */
static int too_large(const struct gather *g, const struct report *r)
{
    const struct search *s = g->search;
    const struct engine_class *engine = engine_find(g->config->engine);
    return !g->quiet && !g->count_only && !r->complete && !g->told.count && !r->divergence && engine &&
           !engine->endless && (s->timed_out || too_many(s) || s->interrupted == 1);
}

void gather_report(struct gather *g, struct report *r)
{
    ensure(g->search && g->program);
    const struct engine_class *engine = engine_find(g->config->engine);
    struct tale program;
    struct names n;
    gather_only_program(&program, g->program->path);
    names_init(&n, &program);
    r->program = mem_strdup(g->program->path);
    r->engine = mem_strdup(g->config->engine);
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
    r->discarded = g->executions_before;
    for (int i = 0; i < g->search->slot_count; i++)
        sum_slot(r, g->search->slots[i].region.shared, &n);
    for (int i = 0; i < g->search->slot_count; i++)
        add_limits(r, &g->search->slots[i].region.shared->limits);
    take_course(g, r, &n);
    take_told(g, r);
    take_warnings(g, r, &n);
    decide(g, r);
    take_properties(g, r);
    if (r->complete && r->estimate > 0) {
        r->estimate = (double)(r->executions + r->blocked);
        r->spread = 0;
        r->fraction = 1;
    }
    if (too_large(g, r))
        advice_give(g, r, &n);
    names_free(&n);
    tale_free(&program);
}

static void free_texts(struct report_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    vec_free(l);
}

void gather_told_free(struct gather_told *t)
{
    if (t->story >= 0)
        close(t->story);
    schedule_free(&t->finding.schedule);
    tale_free(&t->finding.tale);
    free(t->finding.file);
}

void gather_free(struct gather *g)
{
    for (size_t i = 0; i < g->told.count; i++)
        if (g->told.items[i].story >= 0)
            close(g->told.items[i].story);
    vec_free(&g->told);
    vec_free(&g->stories);
    free_texts(&g->known_ones);
    free_texts(&g->unreproduced);
    free_texts(&g->unrecorded);
    free_texts(&g->unreplayed);
    free_texts(&g->artefacts);
}

char *gather_racy_names(const struct schedule *s)
{
    struct sbuf out = {0};
    for (size_t i = 0; i < s->racy.count; i++)
        sbuf_printf(&out, "%s\n", s->racy.items[i]);
    return out.s ? out.s : mem_strdup("");
}
