/* Two sources. The last execution of the search tells which objects and pairs of lines are in conflict most
 * often (two dependent events of different threads, next to each other on their object) and which threads
 * did the same. Trials of a fraction of a second each tell whether a bound or another engine would come to
 * an end. A trial proves and finds nothing by itself: the reader is told what to run. */
#include "host/advice.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "explore/engine.h"
#include "object/dependence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOT 3         /* objects and pairs that are told */
#define LONGEST 20000 /* events that are looked at */
#define TRIAL_LEAST 0.2
#define TRIAL_MOST 1.5

static void say(struct report *r, char *line)
{
    vec_push(&r->advice, line);
}

/* ---- conflicts ---- */

struct conflict {
    uint64_t object, first, second; /* places of the two events, the smaller first; 0: of the object alone */
    uint32_t size;
    uint64_t times;
};
struct conflicts {
    struct conflict *items;
    size_t count, room;
};

static void count_conflict(struct conflicts *c, struct conflict one)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].object == one.object && c->items[i].first == one.first &&
            c->items[i].second == one.second) {
            c->items[i].times++;
            return;
        }
    one.times = 1;
    vec_push(c, one);
}

static int more_often(const void *a, const void *b)
{
    uint64_t x = ((const struct conflict *)a)->times, y = ((const struct conflict *)b)->times;
    return (x < y) - (x > y);
}

/* The last event before `at` that it is dependent with, if another thread performed it. */
static const struct event *opponent(const struct event *events, uint32_t at)
{
    struct act mine = act_of(&events[at]);
    for (uint32_t i = at; i-- > 0 && at - i < 1000;) {
        struct act other = act_of(&events[i]);
        if (other.object != mine.object)
            continue;
        if (other.thread == mine.thread)
            return NULL;
        if (act_dependent_slow(&mine, &other))
            return &events[i];
    }
    return NULL;
}

static uint64_t find_conflicts(const struct event *events, uint32_t count, struct conflicts *objects,
                               struct conflicts *pairs)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct event *a = events[i].object ? opponent(events, i) : NULL, *b = &events[i];
        if (!a)
            continue;
        uint64_t low = a->pc < b->pc ? a->pc : b->pc, high = a->pc < b->pc ? b->pc : a->pc;
        all++;
        count_conflict(objects, (struct conflict){.object = b->object, .size = b->size});
        count_conflict(pairs, (struct conflict){.first = low, .second = high});
    }
    if (all) {
        qsort(objects->items, objects->count, sizeof *objects->items, more_often);
        qsort(pairs->items, pairs->count, sizeof *pairs->items, more_often);
    }
    return all;
}

static void tell_conflicts(struct report *r, struct names *n, const struct event *events, uint32_t count)
{
    struct conflicts objects = {0}, pairs = {0};
    uint64_t all = find_conflicts(events, count, &objects, &pairs);
    for (size_t i = 0; i < objects.count && i < HOT; i++)
        say(r, mem_printf("%s has %.0f%% of the conflicts between threads",
                          names_object(n, objects.items[i].object, objects.items[i].size, 0),
                          100.0 * (double)objects.items[i].times / (double)all));
    for (size_t i = 0; i < pairs.count && i < HOT; i++)
        say(r, mem_printf("%s with %s: %.0f%% of them", names_location(n, pairs.items[i].first),
                          names_location(n, pairs.items[i].second),
                          100.0 * (double)pairs.items[i].times / (double)all));
    vec_free(&objects);
    vec_free(&pairs);
}

/* ---- threads that did the same ---- */

struct course {
    uint64_t hash, place; /* of its operations, one after the other; the first of them */
    uint32_t events;
};

static void tell_alike(struct report *r, struct names *n, const struct event *events, uint32_t count)
{
    struct course threads[EVENT_MAX_THREADS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct course *c = &threads[events[i].thread % EVENT_MAX_THREADS];
        c->place = c->events++ ? c->place : events[i].pc;
        c->hash = (c->hash ^ events[i].pc ^ (uint64_t)events[i].kind << 56) * 0x9e3779b97f4a7c15ull;
    }
    for (int t = 1; t < EVENT_MAX_THREADS; t++) {
        int same = 0;
        for (int o = t; threads[t].events && o < EVENT_MAX_THREADS; o++)
            if (o == t || (threads[o].events == threads[t].events && threads[o].hash == threads[t].hash)) {
                same++;
                threads[o].events = o == t ? threads[o].events : 0;
            }
        if (same > 1)
            say(r, mem_printf("%d threads look symmetric: each performs the same %u operations, from %s on; "
                              "one thread or one round less makes the search smaller by far",
                              same, threads[t].events, names_location(n, threads[t].place)));
    }
}

/* ---- trials ---- */

static const struct trial {
    const char *engine, *option;
    int bound;
} trials[] = {
    {"icb", "--bound 1", 1},        {"icb", "--bound 2", 2},           {"optimal", "--engine optimal", -1},
    {"reach", "--engine reach", -1}, {"context", "--engine context", -1},
};

static void tell_trial(struct report *r, const struct trial *t, const struct search *s)
{
    ensure(s->slot_count == 1);
    const struct shared *shared = s->slots[0].region.shared;
    uint64_t executions = supervise_executions(s);
    int whole = shared->complete && !shared->limits.reached && !s->timed_out;
    if (supervise_findings(s))
        say(r, mem_printf("%s: a trial of %.1f s came upon something; run it", t->option, s->seconds));
    else if (whole || (t->bound >= 0 && shared->bounds.finished && !s->timed_out))
        say(r, mem_printf("%s: comes to its end after %s executions, in %.1f s", t->option,
                          progress_number(executions), s->seconds));
    else if (t->bound >= 0)
        say(r, mem_printf("%s: more than %s executions (a trial of %.1f s)", t->option,
                          progress_number(executions), s->seconds));
}

/* Engines that would not end either are not worth a line. */
static void try_engine(const struct gather *g, struct report *r, const struct trial *t, double seconds)
{
    struct run_config c = *g->config;
    struct search s;
    struct error e;
    snprintf(c.engine, sizeof c.engine, "%s", t->engine);
    c.bound = t->bound;
    c.max_executions = 0;
    c.traces_fd = c.spill_fd = -1;
    c.coverage = c.places = c.describe = c.keep_going = 0;
    memset(c.engine_options, 0, sizeof c.engine_options);
    if (supervise_init(&s, &g->silent, &c, 1, &e))
        return;
    s.time = seconds;
    s.deaths_allowed = 0;
    if (!supervise_run(&s, &e) && !s.interrupted)
        tell_trial(r, t, &s);
    supervise_free(&s);
}

static void tell_trials(const struct gather *g, struct report *r)
{
    double left = g->deadline > 0 ? g->deadline - progress_now() : 1e9, each = r->seconds / 50;
    each = each < TRIAL_LEAST ? TRIAL_LEAST : each > TRIAL_MOST ? TRIAL_MOST : each;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        int same = !strcmp(trials[i].engine, g->config->engine) || trials[i].bound == g->config->bound;
        if (same && trials[i].bound == g->config->bound)
            continue;
        if (left < 2 * each)
            return;
        try_engine(g, r, &trials[i], each);
        left -= each;
    }
}

void advice_give(const struct gather *g, struct report *r, struct names *n)
{
    const struct search *s = g->search;
    ensure(s->slot_count > 0 && !r->complete);
    const struct region *region = &s->slots[0].region;
    const struct trace *t = &region->shared->trace;
    uint32_t count = t->event_count < LONGEST ? t->event_count : LONGEST;
    const struct event *events = region_at(region, t->events, (size_t)count * sizeof *events);
    if (events) {
        tell_conflicts(r, n, events, count);
        tell_alike(r, n, events, count);
    }
    if (!s->interrupted)
        tell_trials(g, r);
}
