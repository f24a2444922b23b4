/* Several strategies one after the other: those that find shallow bugs in a few executions first,
 * then those that cover more, last the one that proves. Each phase has a budget of executions; one
 * that finishes the whole search ends it all.
 *
 *   pos       two random executions, for what fails almost always
 *   probe     the first execution and each single preemption of it
 *   icb       all executions with 0, 1, 2 preemptions
 *   pct       random samples with few changes of priority
 *   optimal   everything
 *   dfs       everything, if optimal had to give up
 *
 * Bugs that need many preemptions would wait for the last phase, and what shows in every tenth random
 * execution for the end of the probes; so from the second phase on random executions (pos, the sampler)
 * run between those of the phase. What the phase left in the trace for its next execution is kept
 * aside meanwhile.
 *
 * A phase is an engine of its own on the same trace; what it allocated is given back when the next
 * one begins. --bound c: icb alone, up to c.
 *
 * With several workers the one that has the whole search goes through the phases; the others wait, and
 * share optimal. */
#include "explore/share/grove.h"

#include "base/ensure.h"

#include <stdbool.h>
#include <string.h>

extern const struct engine_class engine_pos;

static const struct phase {
    const char *engine;
    uint64_t budget; /* executions; 0 = no limit */
    int bound;
    int proves; /* if it finishes without leaving anything out, the search is complete */
    uint64_t alone; /* executions before the first sample */
    uint64_t every; /* then a sample after so many; 0 = none */
} phases[] = {
    {"pos", 2, -1, 0, 0, 0},
    {"probe", 500, -1, 0, 4, 1},
    {"icb", 20000, 2, 1, 0, 1},
    {"pct", 5000, -1, 0, 0, 0},
    {"optimal", 0, -1, 1, 0, 1},
    {"dfs", 0, -1, 1, 0, 1},
};
enum { PHASES = sizeof phases / sizeof phases[0], OPTIMAL = PHASES - 2 };
#define MANY_SAMPLES 200000 /* after so many they become rarer … */
#define RARER 8             /* … by this factor */
#define OTHER_SEED 1000003  /* the sampler's schedules are not those of the first phase */

struct automatic {
    struct engine inner;
    struct run_config config; /* the inner engine's */
    struct bound_stats unused;
    struct limits limits; /* that the inner engine has reached */
    uint32_t phase;
    struct run_config sampling_config; /* the sampler's */
    uint64_t done; /* executions of this phase */
    size_t mark;   /* of the arena, before the inner engine */
    struct engine sampler;
    uint64_t samples;
    bool sampling; /* this execution is the sampler's */
    struct trace aside; /* what the phase follows in its next execution */
};

static const struct engine_class *strategy(const struct automatic *a)
{
    ensure(a->phase < PHASES);
    return engine_find(phases[a->phase].engine);
}

static int begin_phase(struct engine *e)
{
    struct automatic *a = e->state;
    const struct phase *p = &phases[a->phase];
    a->config = *e->config;
    a->config.depth = 0;
    a->config.seed += e->begun;
    if (e->config->bound < 0)
        a->config.bound = p->bound;
    a->done = a->phase == 0 ? e->begun : 0; /* what was executed before the search began anew */
    a->unused = (struct bound_stats){0};
    a->limits = (struct limits){0};
    arena_give_back(e->arena, a->mark);
    bool shared = strategy(a)->grow != NULL;
    a->config.jobs = shared ? e->config->jobs : 1;
    a->inner = (struct engine){.config = &a->config,
                               .grove = shared ? e->grove : NULL,
                               .member = shared ? e->member : 0,
                               .trace = e->trace,
                               .arena = e->arena,
                               .fails = e->fails,
                               .go_on = e->go_on,
                               .peek = e->peek,
                               .lessons = e->lessons,
                               .next = e->next,
                               .live = e->live,
                               .limits = &a->limits,
                               .bounds = p->bound >= 0 ? e->bounds : &a->unused};
    if (e->impatient)
        *e->impatient = 0;
    e->trace->prefix = e->trace->known = 0;
    int failed = strategy(a)->init(&a->inner);
    e->draws = a->inner.draws;
    return failed;
}

/* ---- the sampler ------------------------------------------------------------------------------ */

static int init_sampler(struct engine *e)
{
    struct automatic *a = e->state;
    const struct trace *t = e->trace;
    a->sampling_config = *e->config;
    a->sampling_config.seed += OTHER_SEED + e->begun;
    a->sampler = (struct engine){.config = &a->sampling_config,
                                 .member = e->member,
                                 .trace = e->trace,
                                 .arena = e->arena,
                                 .next = e->next,
                                 .live = e->live,
                                 .bounds = &a->unused};
    a->aside.steps = arena_alloc(e->arena, t->step_room * sizeof *t->steps);
    a->aside.events = arena_alloc(e->arena, t->event_room * sizeof *t->events);
    a->aside.step_room = t->step_room;
    a->aside.event_room = t->event_room;
    return a->aside.steps && a->aside.events ? engine_pos.init(&a->sampler) : -1;
}

static void put(struct trace *to, const struct trace *from)
{
    ensure(from->prefix <= from->step_room);
    to->prefix = from->prefix;
    to->known = from->known;
    memcpy(to->steps, from->steps, from->prefix * sizeof *to->steps);
    memcpy(to->events, from->events, from->known * sizeof *to->events);
}

static bool sample_is_due(const struct automatic *a, const struct run_config *c)
{
    const struct phase *p = &phases[a->phase];
    uint64_t every = p->every * (a->samples < MANY_SAMPLES ? 1 : RARER);
    return every && c->bound < 0 && a->done > p->alone && a->done % every == 0;
}

static void begin_sample(struct engine *e)
{
    struct automatic *a = e->state;
    put(&a->aside, e->trace);
    e->trace->prefix = e->trace->known = 0;
    a->sampling = true;
    a->samples++;
}

static void end_sample(struct engine *e, enum outcome o)
{
    struct automatic *a = e->state;
    bool again = e->retry;
    a->sampler.retry = e->retry;
    e->retry = 0;
    engine_pos.end(&a->sampler, o);
    if (again)
        return;
    put(e->trace, &a->aside);
    a->sampling = false;
}

/* Whose execution is it? */
static const struct engine_class *running(const struct automatic *a)
{
    return a->sampling ? &engine_pos : strategy(a);
}

static struct engine *running_engine(struct automatic *a)
{
    return a->sampling ? &a->sampler : &a->inner;
}

static int auto_init(struct engine *e)
{
    struct automatic *a = e->state = arena_alloc(e->arena, sizeof *a);
    if (!a || init_sampler(e))
        return -1;
    a->mark = (e->arena->used + 4095) & ~(size_t)4095; /* whole pages can go back to the system */
    e->arena->used = a->mark;
    while (e->config->bound >= 0 ? phases[a->phase].bound < 0
                                 : a->phase == 0 && e->begun >= phases[0].budget)
        a->phase++;
    return begin_phase(e);
}

/* On to the next phase; 0 if there is none. */
static int next_phase(struct engine *e)
{
    struct automatic *a = e->state;
    if (a->phase + 1 == PHASES || e->config->bound >= 0)
        return 0;
    a->phase++;
    if (begin_phase(e) == 0)
        return 1;
    if (e->bounds)
        e->bounds->left_over = 1; /* no room: the search is over, but not complete */
    return 0;
}

static void auto_begin(struct engine *e)
{
    struct automatic *a = e->state;
    running(a)->begin(running_engine(a));
    e->awaits = running_engine(a)->awaits;
    e->meets = running_engine(a)->meets;
    e->orbits = running_engine(a)->orbits;
    e->aside = a->sampling;
}

static int auto_choose(struct engine *e, const struct decision *d)
{
    struct automatic *a = e->state;
    return running(a)->choose(running_engine(a), d);
}

static int auto_refused(struct engine *e, const struct decision *d)
{
    struct automatic *a = e->state;
    if (strategy(a)->refused)
        return strategy(a)->refused(&a->inner, d);
    e->incomplete = "a strategy could not foresee when a thread can go on";
    return ENGINE_ABANDON;
}

static int auto_branch(struct engine *e, const struct event *op, int n)
{
    struct automatic *a = e->state;
    running_engine(a)->usual = e->usual;
    return running(a)->branch(running_engine(a), op, n);
}

static void auto_misled(struct engine *e, int usual)
{
    struct automatic *a = e->state;
    ensure(running(a)->misled);
    running(a)->misled(running_engine(a), usual);
}

static void auto_observe(struct engine *e, const struct event *ev)
{
    struct automatic *a = e->state;
    if (running(a)->observe)
        running(a)->observe(running_engine(a), ev);
}

/* The executions are too long for the clocks of optimal: the next one has none. */
static int gave_up(struct engine *e, int more)
{
    struct automatic *a = e->state;
    const char *why = a->inner.incomplete;
    const struct limits reached = a->limits;
    bool too_long = reached.reached >> LIMIT_CLOCK & 1;
    if ((why || too_long) && e->config->jobs <= 1 && next_phase(e)) {
        e->note = too_long ? "a thread performs more than 32000 visible operations: explored by dfs, "
                             "not by optimal"
                           : "a strategy gave up: explored by dfs, not by optimal";
        return 1;
    }
    e->incomplete = why;
    for (unsigned i = 0; i < LIMITS; i++)
        if (reached.reached >> i & 1)
            limit_reached(e->limits, i, reached.at[i]);
    return more;
}

static int next_execution(struct engine *e, enum outcome o)
{
    struct automatic *a = e->state;
    const struct phase *p = &phases[a->phase];
    if (a->sampling) {
        end_sample(e, o);
        return 1;
    }
    a->inner.retry = e->retry;
    e->retry = 0;
    int more = strategy(a)->end(&a->inner, o);
    if (a->inner.incomplete || (p->proves && a->limits.reached))
        return gave_up(e, more);
    if (!more) {
        int whole = p->proves && !a->inner.bounds->left_over;
        if (whole && e->bounds)
            e->bounds->left_over = 0;
        return whole ? 0 : next_phase(e);
    }
    a->done++;
    if (p->budget && e->config->bound < 0 && a->done >= p->budget)
        return next_phase(e);
    if (sample_is_due(a, e->config))
        begin_sample(e);
    return 1;
}

static int auto_end(struct engine *e, enum outcome o)
{
    int more = next_execution(e, o);
    e->draws = running_engine(e->state)->draws;
    return more;
}

static void auto_estimate(const struct engine *e, struct engine_estimate *out)
{
    const struct automatic *a = e->state;
    if (strategy(a)->estimate)
        strategy(a)->estimate(&a->inner, out);
}

/* ---- the last phase, shared ---- */

static bool in_last(const struct engine *e)
{
    return ((const struct automatic *)e->state)->phase == OPTIMAL;
}

static uint32_t auto_leaf(const struct engine *e)
{
    const struct automatic *a = e->state;
    return in_last(e) ? strategy(a)->leaf(&a->inner) : GROVE_WHOLE;
}

static void auto_leave(struct engine *e)
{
    struct automatic *a = e->state;
    if (in_last(e))
        strategy(a)->leave(&a->inner);
}

static int auto_grow(struct engine *e, void (*commit)(void *ctx, uint32_t leaf), void *ctx)
{
    struct automatic *a = e->state;
    return in_last(e) && !a->sampling ? strategy(a)->grow(&a->inner, commit, ctx) : 0;
}

/* Earlier phases are repeated as a whole; a sample is not. */
static int auto_save(struct engine *e, struct work *out)
{
    struct automatic *a = e->state;
    if (!in_last(e))
        return 0;
    if (a->sampling)
        put(e->trace, &a->aside);
    int saved = strategy(a)->save(&a->inner, out);
    if (a->sampling)
        e->trace->prefix = e->trace->known = 0;
    return saved;
}

static int auto_adopt(struct engine *e, struct work *in)
{
    struct automatic *a = e->state;
    if (!in_last(e) && grove_is_whole(in))
        return 0;
    if (!in_last(e)) {
            a->phase = OPTIMAL;
        if (begin_phase(e))
            return -1;
    }
    return strategy(a)->adopt(&a->inner, in);
}

const struct engine_class engine_auto = {
    .guarantee = "every Mazurkiewicz trace",
    .bound_unit = "preemption",
    .needs_ends = 1,
    .inputs = 1,
    .init = auto_init,
    .begin = auto_begin,
    .choose = auto_choose,
    .refused = auto_refused,
    .anew = begin_phase,
    .branch = auto_branch,
    .misled = auto_misled,
    .observe = auto_observe,
    .end = auto_end,
    .estimate = auto_estimate,
    .adopt = auto_adopt,
    .save = auto_save,
    .leaf = auto_leaf,
    .leave = auto_leave,
    .grow = auto_grow,
};
