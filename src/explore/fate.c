/* The engine `fate` (fate.h). Given is the schedule of a failure. If every continuation of its first n steps
 * fails then so does every one of its first n + 1, so the boundary is found by halving. That a continuation
 * does not fail is shown by one execution that comes to its end without a finding: a few at random are tried
 * first. That all fail is shown by trying all, depth first; after too many executions, or if one was cut off,
 * nothing is known of that n, and the search goes on behind it. */
#include "explore/fate.h"

#include "base/ensure.h"
#include "explore/engine.h"

#define RANDOM_TRIES 12
#define TRIES 3000 /* of one n */

struct fork_taken {
    struct tset rest;      /* threads not tried here */
    uint16_t pick, branch; /* branch: possible values, 0 = a thread was picked */
};

struct fate {
    struct fate_found found; /* first: the host reads it */
    struct step *given;
    int64_t unknown;         /* nothing is known of up to so many steps */
    uint32_t probe;          /* the number of steps that is looked at */
    struct fork_taken *path; /* the choices behind them, of which the next execution follows `kept` */
    uint32_t kept, at;
    uint32_t tries;
    uint64_t seen, random;
    int cut; /* an execution of this probe was cut off */
};

/* Failures of all kinds so far. */
static uint64_t failures(const struct engine *e)
{
    struct shared *s = (struct shared *)((char *)e->config - offsetof(struct shared, config));
    uint64_t sum = s->lost.count;
    for (uint32_t i = 0; i < s->finding_count; i++)
        sum += s->findings[i].kind < FINDING_LEAK && s->findings[i].kind != FINDING_RACE ? s->findings[i].seen
                                                                                         : 0;
    return sum;
}

static int next_probe(struct fate *f)
{
    int64_t low = f->found.avoidable > f->unknown ? f->found.avoidable : f->unknown;
    f->kept = f->tries = 0;
    f->cut = 0;
    if (f->found.doomed - low <= 1)
        return 0;
    f->probe = (uint32_t)((low + f->found.doomed) / 2);
    return 1;
}

static int fate_init(struct engine *e)
{
    uint32_t room = e->trace->step_room, count = e->config->target_steps;
    struct fate *f = e->state = arena_alloc(e->arena, sizeof *f);
    if (!f)
        return -1;
    f->path = arena_alloc(e->arena, room * sizeof *f->path);
    f->given = arena_alloc(e->arena, room * sizeof *f->given);
    if (!f->path || !f->given)
        return -1;
    ensure(count <= room);
    for (uint32_t i = 0; i < count; i++)
        f->given[i] = e->trace->steps[i];
    f->found = (struct fate_found){.avoidable = -1, .doomed = count};
    f->unknown = -1;
    f->random = 0x2545f4914f6cdd1dull;
    next_probe(f);
    e->trace->prefix = e->trace->known = 0;
    return 0;
}

static void fate_begin(struct engine *e)
{
    struct fate *f = e->state;
    f->at = 0;
    f->seen = failures(e);
}

static uint32_t dice(struct fate *f, uint32_t sides)
{
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return (uint32_t)(f->random >> 33) % sides;
}

static int at_random(struct fate *f, const struct tset *enabled)
{
    int n = (int)dice(f, (uint32_t)tset_count(enabled)), pick = -1;
    TSET_FOR(t, enabled) {
        pick = t;
        if (n-- == 0)
            break;
    }
    return pick;
}

/* The choice that the next execution makes here, or NULL: it is new. */
static struct fork_taken *here(struct fate *f)
{
    return &f->path[f->at++ - f->probe];
}

static int fate_choose(struct engine *e, const struct decision *d)
{
    struct fate *f = e->state;
    if (f->at < f->probe) {
        const struct step *s = &f->given[f->at++];
        return !s->branch && tset_has(d->enabled, s->pick) ? s->pick : ENGINE_ABANDON;
    }
    uint32_t n = f->at - f->probe;
    struct fork_taken *k = here(f);
    if (n < f->kept)
        return tset_has(d->enabled, k->pick) ? k->pick : ENGINE_ABANDON;
    int pick = f->tries < RANDOM_TRIES ? at_random(f, d->enabled)
               : decision_holds(d)     ? d->last
                                       : tset_first(d->enabled);
    *k = (struct fork_taken){.rest = *d->enabled, .pick = (uint16_t)pick};
    tset_remove(&k->rest, pick);
    return pick;
}

static int fate_branch(struct engine *e, const struct event *op, int n)
{
    struct fate *f = e->state;
    if (f->at < f->probe) {
        const struct step *s = &f->given[f->at++];
        return s->branch == n ? s->pick : ENGINE_ABANDON;
    }
    uint32_t i = f->at - f->probe;
    struct fork_taken *k = here(f);
    if (i < f->kept)
        return k->branch == n ? k->pick : ENGINE_ABANDON;
    *k = (struct fork_taken){.branch = (uint16_t)n};
    k->pick = (uint16_t)(f->tries < RANDOM_TRIES ? dice(f, (uint32_t)n) : 0);
    return k->pick;
}

/* The next path depth first; 0 if there is none. */
static int backtrack(struct fate *f)
{
    for (uint32_t n = f->at > f->probe ? f->at - f->probe : 0; n > 0; n--) {
        struct fork_taken *k = &f->path[n - 1];
        int next = k->branch ? k->pick + 1 < k->branch ? k->pick + 1 : -1 : tset_first(&k->rest);
        if (next < 0)
            continue;
        k->pick = (uint16_t)next;
        if (!k->branch)
            tset_remove(&k->rest, next);
        f->kept = n;
        return 1;
    }
    return 0;
}

static int fate_end(struct engine *e, enum outcome o)
{
    struct fate *f = e->state;
    int failed = failures(e) > f->seen;
    e->trace->prefix = e->trace->known = 0;
    if (o == OUTCOME_COMPLETE && !failed) {
        f->found.avoidable = f->probe;
        return next_probe(f);
    }
    f->cut |= !failed; /* it did not come to an end: nothing is known of it */
    f->tries++;
    if (f->tries < RANDOM_TRIES)
        return 1;
    if (f->tries == RANDOM_TRIES) {
        f->kept = 0;
        return 1;
    }
    if (f->tries < TRIES && backtrack(f))
        return 1;
    if (f->tries >= TRIES || f->cut)
        f->unknown = f->probe;
    else
        f->found.doomed = f->probe;
    return next_probe(f);
}

const struct engine_class engine_fate = {
    .guarantee = "continuations of a schedule",
    .follows = 1,
    .init = fate_init,
    .begin = fate_begin,
    .choose = fate_choose,
    .branch = fate_branch,
    .end = fate_end,
};
