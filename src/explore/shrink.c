/* Makes the schedule of a finding easier to read by re-running: needless preemptions and switches go.
 *
 * The schedule to shrink stands in trace->steps. First its steps are put into another order with the same
 * happens-before and few switches, without what did not happen before the failure (shrink_order.h). Then
 * it is seen as a set of points: after so many steps
 * of its own a thread was preempted, and that one went on. Without a point its thread just goes on, so
 * executions with any subset of the points make sense. They are left out in halves, quarters and so on
 * (Zeller's ddmin), which takes few executions if few points matter, however many there are. Then each
 * thread in turn is let run only when nobody else can, and choices take their first value, in halves again.
 *
 * What is left is seen as a list of runs (one thread, some
 * steps). Candidates are made from the best schedule so far by one change each:
 *   CUT    stop dictating after run i and let the thread that runs go on while it can
 *   PULL   move the next run of the same thread up to run i       A B A → A A B
 *   PUSH   move run i down to the next run of the same thread     A B A → B A A
 *   DROP   leave run i out
 * and executed leniently: a wanted thread that cannot go on is skipped. A candidate is kept if the
 * same finding (kind and place) appears with a smaller cost (preemptions, switches, steps), compared
 * in that order; what is kept is the schedule that was really executed. Passes over all runs are
 * repeated until one changes nothing. Deterministic; the host bounds it in time and executions.
 *
 * Branch values (raddle_choose, which waiter wakes) follow their thread: its k-th branch takes the
 * value it had in the best schedule.
 *
 * The result replaces the schedule of the finding in shared memory. What is
 * looked for stands in the configuration (target, target_steps, and tries: candidates at most; 0 only
 * counts the preemptions). */
#include "explore/shrink_impl.h"

#include "base/ensure.h"

#include <string.h>

/* The finding that is looked for, or NULL; it lives beside the configuration. */
static struct finding *target(const struct engine *e)
{
    struct shared *s = (struct shared *)((char *)e->config - offsetof(struct shared, config));
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (finding_same(finding_id(&s->findings[i]), e->config->target))
            return &s->findings[i];
    return NULL;
}

static uint64_t sightings(const struct engine *e)
{
    const struct finding *f = target(e);
    return f ? f->seen : 0;
}

static int shrink_init(struct engine *e)
{
    ensure(e->config->target_steps <= e->trace->step_room);
    uint32_t room = e->trace->step_room;
    struct shrink *k = e->state = arena_alloc(e->arena, sizeof *k);
    if (!k)
        return -1;
    k->best = arena_alloc(e->arena, room * sizeof *k->best);
    k->now = arena_alloc(e->arena, room * sizeof *k->now);
    k->steps = arena_alloc(e->arena, room * sizeof *k->steps);
    k->wanted = arena_alloc(e->arena, room * sizeof *k->wanted);
    k->branch_at = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *k->branch_at);
    k->points = arena_alloc(e->arena, room * sizeof *k->points);
    k->point_first = arena_alloc(e->arena, 3 * EVENT_MAX_THREADS * sizeof *k->point_first);
    k->whole = arena_alloc(e->arena, room * sizeof *k->whole);
    if (!k->best || !k->now || !k->steps || !k->wanted || !k->branch_at || !k->points ||
        !k->point_first || !k->whole || shrink_order_init(&k->order, e))
        return -1;
    k->point_at = k->point_first + EVENT_MAX_THREADS;
    k->own = k->point_at + EVENT_MAX_THREADS;
    k->avoided = -1;
    k->best_count = e->config->target_steps;
    for (uint32_t i = 0; i < k->best_count; i++) {
        const struct step *s = &e->trace->steps[i];
        k->best[i] = (struct ran){.thread = s->branch ? 0 : s->pick, .branch = s->branch, .value = s->pick};
    }
    k->first = 1;
    e->trace->prefix = e->trace->known = 0;
    return 0;
}

static void shrink_begin(struct engine *e)
{
    struct shrink *k = e->state;
    if (k->first) /* more than once, if the runtime begins the execution again */
        shrink_order_begin(&k->order);
    k->now_count = k->wanted_at = 0;
    k->now_cost = (struct cost){0};
    k->found_at = UINT32_MAX;
    k->seen = sightings(e);
    memset(k->branch_at, 0, EVENT_MAX_THREADS * sizeof *k->branch_at);
    memset(k->own, 0, EVENT_MAX_THREADS * sizeof *k->own);
    memcpy(k->point_at, k->point_first, EVENT_MAX_THREADS * sizeof *k->point_at);
}

static void note_finding(struct engine *e)
{
    struct shrink *k = e->state;
    if (k->found_at == UINT32_MAX && sightings(e) > k->seen)
        k->found_at = e->trace->step_count;
}

static void note_step(struct shrink *k, struct ran r)
{
    k->now[k->now_count++] = r;
}

/* The thread the candidate wants next, skipping those that cannot go on; -1 when it has no more. */
static int next_wanted(struct engine *e, const struct decision *d)
{
    struct shrink *k = e->state;
    if (k->first) {
        while (k->now_count < k->best_count) {
            const struct ran *r = &k->best[k->now_count];
            return !r->branch && tset_has(d->enabled, r->thread) ? r->thread : -1;
        }
        return -1;
    }
    while (k->wanted_at < k->wanted_count) {
        int t = k->wanted[k->wanted_at++];
        if (tset_has(d->enabled, t))
            return t;
    }
    return -1;
}

/* Is it a preemption? */
static int count(struct shrink *k, const struct decision *d, int pick)
{
    k->now_cost.steps++;
    if (d->last < 0 || pick == d->last)
        return 0;
    k->now_cost.switches++;
    k->now_cost.preemptions += decision_holds(d);
    return decision_holds(d);
}

/* ---- points ---- */

/* Who goes on by the points that are left; -1: they do not say. */
static int point_wants(struct shrink *k, const struct decision *d)
{
    if (d->last < 0)
        return k->best_count && tset_has(d->enabled, k->best[0].thread) ? k->best[0].thread : -1;
    uint32_t *at = &k->point_at[d->last];
    while (*at != UINT32_MAX && k->points[*at].own < k->own[d->last])
        *at = k->points[*at].next;
    if (*at == UINT32_MAX || k->points[*at].own != k->own[d->last])
        return -1;
    const struct switch_point *p = &k->points[*at];
    return !p->off && tset_has(d->enabled, p->to) ? p->to : -1;
}

/* The points of the best schedule; all of them are on. */
static void find_points(struct shrink *k)
{
    uint32_t own[EVENT_MAX_THREADS] = {0}, last[EVENT_MAX_THREADS];
    int before = -1;
    memset(k->point_first, 0xff, EVENT_MAX_THREADS * sizeof *k->point_first);
    k->point_count = 0;
    for (uint32_t i = 0; i < k->best_count; i++) {
        const struct ran *r = &k->best[i];
        if (r->branch)
            continue;
        if (before >= 0 && r->thread != before) {
            uint32_t n = k->point_count++;
            k->points[n] = (struct switch_point){own[before], r->thread, (uint8_t)r->preempts, 0, UINT32_MAX};
            if (k->point_first[before] == UINT32_MAX)
                k->point_first[before] = n;
            else
                k->points[last[before]].next = n;
            last[before] = n;
        }
        own[r->thread]++;
        before = r->thread;
    }
}

/* Leaves out a chunk of the preemptions, the first of which is number chunk_at of them; 0: there are not so
 * many. */
static int leave_out(struct shrink *k)
{
    uint32_t n = 0, off = 0;
    for (uint32_t i = 0; i < k->point_count; i++) {
        struct switch_point *p = &k->points[i];
        p->off = p->preempts && n >= k->chunk_at && n < k->chunk_at + k->chunk;
        n += p->preempts;
        off += p->off;
    }
    return off > 0;
}

/* The same for choices: those of the chunk take their first value. */
static int leave_out_values(struct shrink *k)
{
    uint32_t n = 0, off = 0;
    for (uint32_t i = 0; i < k->best_count; i++) {
        struct ran *r = &k->best[i];
        bool counts = r->branch && r->value;
        r->first_value = counts && n >= k->chunk_at && n < k->chunk_at + k->chunk;
        n += counts;
        off += r->first_value;
    }
    return off > 0;
}

static void begin_values(struct shrink *k)
{
    k->phase = VALUES;
    k->chunk = k->best_cost.values;
    k->chunk_at = 0;
}

/* ---- the order ---- */

/* The threads that the failure is about; none if it is about what all do. */
static struct tset goal_of(const struct engine *e)
{
    const struct finding *f = target(e);
    const struct shrink *k = e->state;
    struct tset goal = {{0}};
    if (f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK || f->kind == FINDING_PROPERTY ||
        k->found_at < e->trace->step_count)
        return goal;
    tset_add(&goal, f->thread);
    for (uint32_t i = 0; i < f->fact_count && i < FINDING_FACTS; i++)
        tset_add(&goal, f->facts[i].thread);
    return goal;
}

/* Both orders, of which the one without what the failure does not need is tried first. */
static void begin_order(struct engine *e)
{
    struct shrink *k = e->state;
    struct tset goal = goal_of(e), all = {{0}};
    k->phase = ORDER;
    k->whole_count = shrink_order_make(&k->order, e, k->best_count, &all);
    memcpy(k->whole, k->order.best, k->whole_count * sizeof *k->whole);
    k->wanted_count = tset_empty(&goal) ? 0 : shrink_order_make(&k->order, e, k->best_count, &goal);
    memcpy(k->wanted, k->order.best, k->wanted_count * sizeof *k->wanted);
}

static int next_order(struct shrink *k)
{
    if (k->wanted_count)
        return 1;
    k->wanted_count = k->whole_count;
    memcpy(k->wanted, k->whole, k->whole_count * sizeof *k->whole);
    k->whole_count = 0;
    return k->wanted_count > 0;
}

static void begin_points(struct shrink *k)
{
    find_points(k);
    k->phase = POINTS;
    k->chunk = k->best_cost.preemptions;
    k->chunk_at = 0;
}

/* Chunks of a half, a quarter, … */
static int next_chunk(struct shrink *k, int (*leave)(struct shrink *))
{
    while (k->chunk) {
        if (leave(k))
            return 1;
        k->chunk = k->chunk > 1 ? (k->chunk + 1) / 2 : 0;
        k->chunk_at = 0;
    }
    return 0;
}

static int shrink_choose(struct engine *e, const struct decision *d)
{
    struct shrink *k = e->state;
    note_finding(e);
    bool listed = k->first || k->phase == RUNS || k->phase == ORDER;
    int pick = listed ? next_wanted(e, d) : point_wants(k, d);
    if (pick < 0 || (pick == k->avoided && decision_holds(d)))
        pick = decision_holds(d) ? d->last : tset_first(d->enabled);
    if (pick == k->avoided)
        TSET_FOR(t, d->enabled) {
            pick = t;
            if (t != k->avoided)
                break;
        }
    int preempts = k->found_at == UINT32_MAX ? count(k, d, pick) : 0;
    k->own[pick]++;
    note_step(k, (struct ran){
                     .thread = (uint16_t)pick, .value = (uint16_t)pick, .preempts = (uint8_t)preempts});
    return pick;
}

/* The value that the next branch of this thread had in the best schedule. */
static int remembered(struct shrink *k, int thread, int n)
{
    for (uint32_t i = k->branch_at[thread]; i < k->best_count; i++)
        if (k->best[i].branch && k->best[i].thread == thread) {
            k->branch_at[thread] = i + 1;
            return k->best[i].branch == n && !k->best[i].first_value ? k->best[i].value : 0;
        }
    k->branch_at[thread] = k->best_count;
    return 0;
}

static void shrink_observe(struct engine *e, const struct event *ev)
{
    struct shrink *k = e->state;
    if (k->first)
        shrink_order_observe(&k->order, ev);
}

static int shrink_branch(struct engine *e, const struct event *op, int n)
{
    struct shrink *k = e->state;
    note_finding(e);
    int value = 0;
    if (!k->first)
        value = remembered(k, op->thread, n);
    else if (k->now_count < k->best_count && k->best[k->now_count].branch == n)
        value = k->best[k->now_count].value;
    k->now_cost.values += k->found_at == UINT32_MAX && value;
    note_step(k, (struct ran){
                     .thread = op->thread, .branch = (uint16_t)n, .value = (uint16_t)value});
    return value;
}

static int cheaper(const struct cost *a, const struct cost *b)
{
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    if (a->switches != b->switches)
        return a->switches < b->switches;
    if (a->values != b->values)
        return a->values < b->values;
    return a->steps < b->steps;
}

/* The execution that just ended becomes the best one. */
static void keep(struct engine *e)
{
    ensure(target(e) != NULL);
    struct shrink *k = e->state;
    struct finding *f = target(e);
    struct ran *old = k->best;
    k->best = k->now;
    k->now = old;
    k->best_cost = k->now_cost;
    k->best_count = k->found_at < k->now_count ? k->found_at : k->now_count;
    for (uint32_t i = 0; i < k->best_count; i++)
        k->steps[i] = (struct step){.pick = k->best[i].value, .branch = k->best[i].branch};
    f->steps = k->steps;
    f->step_count = f->at_step = k->best_count;
    f->preemptions = k->best_cost.preemptions;
}

/* ---- one candidate after the other ---- */

static int next_of_phase(struct shrink *k)
{
    k->avoided = -1;
    switch (k->phase) {
    case ORDER:
        if (next_order(k))
            return 1;
        begin_points(k);
        /* fall through */
    case POINTS:
        if (next_chunk(k, leave_out))
            return 1;
        leave_out(k); /* nothing: the chunk is empty */
        k->phase = AVOID;
        k->run = 0;
        /* fall through */
    case AVOID:
        if (k->run < EVENT_MAX_THREADS && k->own[k->run]) {
            k->avoided = (int)k->run;
            return 1;
        }
        begin_values(k);
        /* fall through */
    case VALUES:
        if (next_chunk(k, leave_out_values))
            return 1;
        leave_out_values(k); /* none: the chunk is empty */
        k->phase = RUNS;
        k->run = k->change = k->kept = 0;
        /* fall through */
    default:
        return shrink_next_change(k);
    }
}

/* The change under way did not help: the next one. */
static void go_on(struct shrink *k)
{
    if (k->phase == ORDER) {
        k->wanted_count = 0;
    } else if (k->phase == POINTS || k->phase == VALUES) {
        k->chunk_at += k->chunk;
    } else if (k->phase == AVOID) {
        k->run++;
    } else if (++k->change == CHANGES) {
        k->change = 0;
        k->run++;
    }
}

static int shrink_end(struct engine *e, enum outcome o)
{
    struct shrink *k = e->state;
    note_finding(e);
    int found = k->found_at != UINT32_MAX;
    e->trace->prefix = e->trace->known = 0;
    if (k->first && !found)
        return 0; /* not reproducible: leave it as it is */
    if (found && (k->first || cheaper(&k->now_cost, &k->best_cost))) {
        keep(e);
        k->kept = 1;
        if (k->first)
            begin_order(e);
        else if (k->phase == ORDER)
            begin_points(k);
        else if (k->phase != RUNS)
            find_points(k);
        if (k->phase == AVOID)
            k->run++;
    } else {
        go_on(k);
    }
    k->first = 0;
    return k->tries++ < e->config->tries && next_of_phase(k);
}

const struct engine_class engine_shrink = {
    .guarantee = "a shorter schedule",
    .follows = 1,
    .init = shrink_init,
    .begin = shrink_begin,
    .choose = shrink_choose,
    .branch = shrink_branch,
    .observe = shrink_observe,
    .end = shrink_end,
};
