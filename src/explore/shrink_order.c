/* A list schedule: a step is ready when what happened before it has been scheduled, which its vector
 * clock tells. The running thread goes on while its next step is ready; then another one takes over. Which
 * one decides how many switches there are, and no rule is best: several are tried, the fewest win. */
#include "explore/shrink_order.h"

#include "base/ensure.h"
#include "base/rng.h"

#include <string.h>

#define ALL INT32_MAX
enum { BY_NEED, FIRST, LAST, AT_RANDOM, RULES = AT_RANDOM + 13 };

int shrink_order_init(struct shrink_order *o, struct engine *e)
{
    uint32_t room = e->trace->step_room;
    o->step = arena_alloc(e->arena, room * sizeof *o->step);
    o->first = arena_alloc(e->arena, (EVENT_MAX_THREADS + 1) * sizeof *o->first);
    o->next = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *o->next);
    o->needed = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *o->needed);
    o->order = arena_alloc(e->arena, room * sizeof *o->order);
    o->best = arena_alloc(e->arena, room * sizeof *o->best);
    if (!o->step || !o->first || !o->next || !o->needed || !o->order || !o->best || hb_init(&o->hb, e))
        return -1;
    memset(o->hb.of_step, 0xff, room * sizeof *o->hb.of_step);
    return 0;
}

/* The entry that a step led to; NULL: it led to none. */
static const struct hb_entry *entry_of(const struct shrink_order *o, uint32_t step)
{
    uint32_t entry = o->hb.of_step[step];
    return entry < o->hb.count ? &o->hb.entries[entry] : NULL;
}

/* Sorts the steps by their threads. */
static void sort_steps(struct shrink_order *o, const struct trace *t, uint32_t steps)
{
    uint32_t fill[EVENT_MAX_THREADS];
    memset(o->first, 0, (EVENT_MAX_THREADS + 1) * sizeof *o->first);
    for (uint32_t i = 0; i < steps; i++)
        o->first[t->steps[i].branch ? 0 : t->steps[i].pick + 1] += !t->steps[i].branch;
    for (int u = 0; u < EVENT_MAX_THREADS; u++) {
        o->first[u + 1] += o->first[u];
        fill[u] = o->first[u];
    }
    for (uint32_t i = 0; i < steps; i++)
        if (!t->steps[i].branch)
            o->step[fill[t->steps[i].pick]++] = i;
}

/* How far each thread has to come: to the past of where the goal's threads are, or to the end. */
static void find_needed(struct shrink_order *o, const struct tset *goal)
{
    for (int u = 0; u < EVENT_MAX_THREADS; u++)
        o->needed[u] = tset_empty(goal) ? ALL : 0;
    TSET_FOR(t, goal) {
        uint32_t last = o->hb.last[t];
        for (uint32_t u = 0; last != HB_NONE && u < o->hb.width; u++)
            if (hb_row(&o->hb, last)[u] > o->needed[u])
                o->needed[u] = hb_row(&o->hb, last)[u];
        o->needed[t] = ALL;
    }
}

/* The next step of a thread that is wanted, HB_NONE if there is none. */
static uint32_t next_of(const struct shrink_order *o, int t)
{
    uint32_t at = o->first[t] + o->next[t];
    if (at >= o->first[t + 1])
        return HB_NONE;
    const struct hb_entry *e = entry_of(o, o->step[at]);
    return e && e->time > o->needed[t] ? HB_NONE : o->step[at];
}

/* What of a thread is scheduled: all before its next step. */
static int32_t time_of(const struct shrink_order *o, int t)
{
    uint32_t at = o->first[t] + o->next[t];
    const struct hb_entry *e = at < o->first[t + 1] ? entry_of(o, o->step[at]) : NULL;
    return at >= o->first[t + 1] ? ALL : e && e->time ? e->time - 1 : 0;
}

/* A thread that the step has to wait for; -1: it is ready. */
static int waits_for(const struct shrink_order *o, int t, uint32_t step)
{
    const struct hb_entry *e = entry_of(o, step);
    if (!e)
        return -1;
    const vtime *row = hb_row(&o->hb, (uint32_t)(e - o->hb.entries));
    for (uint32_t u = 0; u < o->hb.width; u++)
        if ((int)u != t && row[u] && row[u] > time_of(o, (int)u))
            return (int)u;
    return -1;
}

static bool is_ready(const struct shrink_order *o, int t)
{
    uint32_t step = next_of(o, t);
    return step != HB_NONE && waits_for(o, t, step) < 0;
}

/* Who goes on when `last` cannot; -1: nobody. */
static int successor(const struct shrink_order *o, int last, int rule, struct rng *random)
{
    int found = -1, n = 0;
    for (int hops = 0, t = last; rule == BY_NEED && t >= 0 && hops < EVENT_MAX_THREADS; hops++) {
        uint32_t step = next_of(o, t);
        if (step == HB_NONE)
            break;
        if ((t = waits_for(o, t, step)) >= 0 && is_ready(o, t))
            return t;
    }
    for (uint32_t u = 0; u < o->hb.width; u++) {
        if (!is_ready(o, (int)u))
            continue;
        n++;
        if (found < 0 || rule == LAST || (rule >= AT_RANDOM && rng_below(random, (uint32_t)n) == 0))
            found = (int)u;
    }
    return found;
}

/* Leaving a thread that waits for a lock or a join costs nothing. */
static bool is_free(const struct shrink_order *o, const struct engine *e, int t)
{
    uint32_t step = next_of(o, t);
    const struct hb_entry *entry = step == HB_NONE ? NULL : entry_of(o, step);
    return !entry || operation_is(e->trace->events[entry->event].kind, OP_BLOCKS);
}

static void try_rule(struct shrink_order *o, const struct engine *e, int rule)
{
    struct rng random;
    uint32_t switches = 0;
    int now = -1;
    rng_seed(&random, (uint64_t)rule);
    memset(o->next, 0, EVENT_MAX_THREADS * sizeof *o->next);
    o->count = 0;
    for (;;) {
        int t = now >= 0 && is_ready(o, now) ? now : successor(o, now, rule, &random);
        if (t < 0)
            break;
        switches += t != now && now >= 0 && !is_free(o, e, now) ? 16 : t != now;
        o->order[o->count++] = (uint16_t)t;
        o->next[t]++;
        now = t;
    }
    if (o->best_count && (o->count != o->best_count || switches >= o->best_switches))
        return;
    uint16_t *old = o->best;
    o->best = o->order;
    o->order = old;
    o->best_count = o->count;
    o->best_switches = switches;
}

uint32_t shrink_order_make(struct shrink_order *o, const struct engine *e, uint32_t steps,
                           const struct tset *goal)
{
    ensure(steps <= e->trace->step_room);
    o->best_count = 0;
    if (o->hb.overflow || !steps)
        return 0;
    sort_steps(o, e->trace, steps);
    find_needed(o, goal);
    for (int rule = 0; rule < RULES; rule++)
        try_rule(o, e, rule);
    return o->best_count;
}
