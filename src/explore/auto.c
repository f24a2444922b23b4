/* Several strategies one after the other: those that find shallow bugs in a few executions first,
 * then those that cover more, last the one that proves. Each phase has a budget of executions; one
 * that finishes the whole search ends it all.
 *
 *   pos       two random executions, for what fails almost always
 *   probe     the first execution and each single preemption of it
 *   icb       all executions with 0, 1, 2 preemptions
 *   pct       random samples with few changes of priority, not many more than icb had executions
 *   optimal   everything
 *   dfs       everything, if optimal had to give up
 *
 * Bugs that need many preemptions would wait for the last phase, and what shows in every tenth random
 * execution for the end of the probes; so from the second phase on random executions (pos, the sampler)
 * run between those of the phase. What the phase left in the trace for its next execution is kept
 * aside meanwhile.
 *
 * optimal may turn out to be hopeless: it needs many times the executions that it has had, as far as
 * they can be estimated. Then bounds come back beside it (beside.h): icb from its beginning on, three
 * executions for each of optimal's, so that what few preemptions lead to is found, and known to be safe up
 * to a bound. optimal goes on meanwhile, and is alone again once its end is within reach.
 *
 * A phase is an engine of its own on the same trace; what it allocated is given back when the next
 * one begins. --bound c: icb alone, up to c.
 *
 * With several workers the one that has the whole search goes through the phases; the others wait, and
 * share optimal. */
#include "explore/beside.h"
#include "explore/share/portion.h"

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
enum { PHASES = sizeof phases / sizeof phases[0], PCT = PHASES - 3, OPTIMAL = PHASES - 2 };
#define FEW_SAMPLES 100     /* of pct, where icb came to its end after a few executions */
#define MANY_SAMPLES 200000 /* after so many they become rarer … */
#define RARER 8             /* … by this factor */
#define ESTIMATED 64         /* the estimate is made anew after so many executions */
#define HOPELESS_AFTER 30000 /* executions of optimal; looked at again whenever they have doubled */
#define HOPELESS 20          /* … if so many times more than it has had are left at least */
#define BESIDE 3             /* executions of icb for each of optimal's then */
#define OTHER_SEED 1000003  /* the sampler's schedules are not those of the first phase */

struct automatic {
    struct engine inner;
    struct run_config config; /* the inner engine's */
    struct bound_stats unused;
    struct limits limits; /* that the inner engine has reached */
    uint32_t phase;
    struct run_config sampling_config; /* the sampler's */
    uint64_t done, before; /* executions of this phase; of the one before */
    size_t mark;   /* of the arena, before the inner engine */
    struct engine sampler;
    uint64_t samples;
    bool sampling; /* this execution is the sampler's */
    struct trace aside; /* what the phase follows in its next execution */
    struct engine_estimate estimate; /* of the phase */
    uint64_t look; /* at so many executions of optimal: is it hopeless? */
    bool symbolic; /* there are symbolic branches, whose inputs belong to one search */
    struct beside beside; /* while it is */
    struct portion whole; /* of the phases before optimal */
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
    a->sampling = false; /* what was set aside for it belongs to the phase before */
    a->sampler.retry = 0;
    a->beside = (struct beside){0};
    a->look = engine_option(e, "beside", 0) ? 1 : HOPELESS_AFTER; /* for tests: from its beginning on */
    a->estimate = (struct engine_estimate){0};
    a->config = *e->config;
    a->config.depth = 0;
    a->config.seed += e->begun;
    if (e->config->bound < 0)
        a->config.bound = p->bound;
    a->done = a->phase == 0 ? e->begun : 0; /* what was executed before the search began anew */
    a->unused = (struct bound_stats){0};
    a->limits = (struct limits){0};
    arena_give_back(e->arena, a->mark);
    bool shared = strategy(a)->portion != NULL;
    a->config.jobs = shared ? e->config->jobs : 1;
    a->inner = engine_inside(e, &a->config);
    a->inner.grove = shared ? e->grove : NULL;
    a->inner.box = shared ? e->box : NULL;
    a->inner.member = shared ? e->member : 0;
    a->inner.limits = &a->limits;
    a->inner.bounds = p->bound >= 0 ? e->bounds : &a->unused;
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
    a->sampling_config = *e->config;
    a->sampling_config.seed += OTHER_SEED + e->begun;
    a->sampler = (struct engine){.config = &a->sampling_config,
                                 .member = e->member,
                                 .trace = e->trace,
                                 .arena = e->arena,
                                 .next = e->next,
                                 .live = e->live,
                                 .bounds = &a->unused};
    return beside_make_trace(&a->aside, e) ? -1 : engine_pos.init(&a->sampler);
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
    beside_put(&a->aside, e->trace);
    e->trace->prefix = e->trace->known = 0;
    a->sampling = true;
    a->samples++;
}

static void end_sample(struct engine *e, enum outcome o)
{
    struct automatic *a = e->state;
    bool again = a->sampler.retry;
    engine_pos.end(&a->sampler, o);
    if (again)
        return;
    beside_put(e->trace, &a->aside);
    a->sampling = false;
}

/* Whose execution is it? */
static const struct engine_class *running(const struct automatic *a)
{
    return a->sampling ? &engine_pos : a->beside.runs ? &engine_icb : strategy(a);
}

static struct engine *running_engine(struct automatic *a)
{
    return a->sampling ? &a->sampler : a->beside.runs ? &a->beside.engine : &a->inner;
}

/* Estimates are too small at first, rarely too large: they are taken as they are. */
static bool is_hopeless(const struct automatic *a)
{
    return a->estimate.total > (HOPELESS + 1) * (double)a->done;
}

/* Looked at when optimal has had an execution. */
static void look_at_hope(struct engine *e)
{
    struct automatic *a = e->state;
    if (a->phase != OPTIMAL || a->done < a->look || e->config->jobs > 1 || e->config->bound >= 0 ||
        a->symbolic)
        return;
    a->look *= 2;
    a->beside.on = false;
    if (!is_hopeless(a) && !engine_option(e, "beside", 0))
        return;
    beside_start(&a->beside, e);
    if (a->beside.on)
        e->note = "the search of everything will not come to its end soon: bounds are searched beside it";
}

static int auto_init(struct engine *e)
{
    struct automatic *a = e->state = arena_alloc(e->arena, sizeof *a);
    if (!a || init_sampler(e))
        return -1;
    a->whole.path.leaf = a->whole.path.told = GROVE_WHOLE;
    a->mark = (e->arena->used + 4095) & ~(size_t)4095; /* whole pages can go back to the system */
    e->arena->used = a->mark;
    while (e->config->bound >= 0 ? phases[a->phase].bound < 0
                                 : a->phase == 0 && e->begun >= phases[0].budget)
        a->phase++;
    return begin_phase(e);
}

/* Of a program that has few executions with few preemptions optimal soon knows all. */
static bool budget_is_spent(const struct automatic *a)
{
    uint64_t budget = phases[a->phase].budget;
    if (a->phase == PCT && budget > FEW_SAMPLES + a->before)
        budget = FEW_SAMPLES + a->before;
    return budget && a->done >= budget;
}

/* On to the next phase; 0 if there is none. */
static int next_phase(struct engine *e)
{
    struct automatic *a = e->state;
    if (a->phase + 1 == PHASES || e->config->bound >= 0)
        return 0;
    a->before = a->done;
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
    e->lock_rounds = running_engine(a)->lock_rounds;
    e->undoes = running_engine(a)->undoes;
    e->meets = running_engine(a)->meets;
    e->orbits = running_engine(a)->orbits;
    bool another = !phases[a->phase].proves && e->config->bound < 0; /* comes, and begins anew */
    e->aside = a->sampling || a->beside.runs || another;
}

static int auto_choose(struct engine *e, const struct decision *d)
{
    struct automatic *a = e->state;
    return running(a)->choose(running_engine(a), d);
}

static int auto_refused(struct engine *e, const struct decision *d)
{
    struct automatic *a = e->state;
    if (running(a)->refused)
        return running(a)->refused(running_engine(a), d);
    e->incomplete = "a strategy could not foresee when a thread can go on";
    return ENGINE_ABANDON;
}

static int auto_branch(struct engine *e, const struct event *op, int n)
{
    struct automatic *a = e->state;
    running_engine(a)->usual = e->usual;
    a->symbolic |= (n & (int)STEP_SYMBOLIC) != 0;
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
    bool extra = a->sampling || a->beside.runs; /* not the phase's own */
    running_engine(a)->retry = e->retry;
    e->retry = 0;
    if (a->sampling)
        end_sample(e, o);
    else if (a->beside.runs)
        beside_leave(&a->beside, e, &a->aside, o);
    if (extra && !a->sampling && a->beside.on && a->beside.done < BESIDE)
        beside_enter(&a->beside, e, &a->aside);
    if (extra)
        return 1;
    if (strategy(a)->estimate && a->done % ESTIMATED == 0)
        strategy(a)->estimate(&a->inner, &a->estimate);
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
    if (e->config->bound < 0 && budget_is_spent(a))
        return next_phase(e);
    look_at_hope(e);
    a->beside.done = 0;
    if (sample_is_due(a, e->config))
        begin_sample(e);
    else if (a->beside.on)
        beside_enter(&a->beside, e, &a->aside);
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
    *out = a->estimate;
}

/* ---- the last phase, shared ---- */

static bool in_last(const struct engine *e)
{
    return ((const struct automatic *)e->state)->phase == OPTIMAL;
}

/* An earlier phase has the whole search, and can finish it. */
static struct portion_view auto_portion(struct engine *e)
{
    struct automatic *a = e->state;
    struct portion_view v = {.engine = e, .portion = &a->whole, .runs = a->done};
    if (in_last(e))
        v = strategy(a)->portion(&a->inner);
    if (a->sampling) /* what it would give away is not in the trace now */
        v.offer = NULL;
    return v;
}

/* Earlier phases are repeated as a whole; a sample is not. */
static int auto_save(struct engine *e, struct work *out)
{
    struct automatic *a = e->state;
    if (!in_last(e))
        return 0;
    if (a->sampling)
        beside_put(e->trace, &a->aside);
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
    .settings = "beside",
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
    .portion = auto_portion,
};
