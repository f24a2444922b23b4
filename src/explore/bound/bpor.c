/* icb with partial-order reduction: bounded DPOR (Coons, Musuvathi & McKinley, OOPSLA 2013) in order
 * of preemptions. As in icb the running thread goes on while it can; another thread is run somewhere
 * only if two events of an execution ask for it: a race, or for an event of thread p and each other
 * thread the last event e that it depends on. The search then goes back
 *   to the decision before e, where p may preempt,                       (DPOR)
 *   and to the start of the block of steps that e is in, where running p costs no more preemptions
 *   than running e's thread did                                          (conservative backtracking)
 * since with a bound the first may cost more than is left. If p cannot run there, every thread that
 * can is tried. Races alone do not suffice: with a bound, the execution that would show the next race
 * may lie beyond it. Which prefixes have been asked for is remembered by a hash of their steps, so none is
 * executed twice; a new one waits in the queue of the bound that its preemptions belong to.
 *
 * The engine sees every decision of every execution (it leaves no prefix to the runtime), because it
 * has to know who could have run at each of them. */
#include "explore/fair.h"
#include "base/ensure.h"
#include "explore/dpor/happens.h"
#include "explore/keyset.h"
#include "explore/signature.h"
#include "explore/bound/stats.h"
#include "explore/bound/tape.h"

#include <string.h>

struct spot { /* a decision of the execution under way */
    struct tset allowed;
    uint64_t path;        /* hash of the steps before it */
    uint32_t preemptions; /* before it */
    uint32_t block;       /* the last step up to it where running another thread costs no more */
    int16_t last;         /* thread that ran before it; -1 = none */
    bool holds;           /* that thread could go on */
};

struct bpor {
    struct happens hb;
    struct fair fair;
    struct spot *spots;   /* [step] */
    uint32_t *item;       /* steps to follow: branch << 16 | pick */
    uint32_t item_count;
    uint64_t path;        /* of the execution under way, … */
    uint32_t preemptions; /* … up to now */
    struct keyset asked;  /* (path, pick) */
    struct tape tapes[3], *now, *again, *next; /* again: of this bound, asked for while it is searched */
    uint32_t bound, last_bound;
    bool lost; /* no room for something that was asked for */
    struct bound_stats *stats;
};

static int bpor_init(struct engine *e)
{
    struct bpor *b = e->state = arena_alloc(e->arena, sizeof *b);
    const struct run_config *c = e->config;
    uint64_t memory = engine_memory(e);
    if (!b || hb_init(&b->hb, e) || fair_init(&b->fair, e->arena) ||
        keyset_init(&b->asked, e->arena, memory / 2))
        return -1;
    b->spots = arena_alloc(e->arena, e->trace->step_room * sizeof *b->spots);
    b->item = arena_alloc(e->arena, e->trace->step_room * sizeof *b->item);
    b->stats = e->bounds ? e->bounds : arena_alloc(e->arena, sizeof *b->stats);
    for (int i = 0; i < 3; i++)
        if (tape_init(&b->tapes[i], e->arena, memory / 6, &c->spill_fd, (uint64_t)i << 42))
            return -1;
    b->now = &b->tapes[0];
    b->again = &b->tapes[1];
    b->next = &b->tapes[2];
    b->last_bound = c->bound >= 0 ? (uint32_t)c->bound : UINT32_MAX;
    if (!b->spots || !b->item || !b->stats)
        return -1;
    memset(b->stats, 0, sizeof *b->stats);
    b->stats->active = 1;
    return 0;
}

static void bpor_begin(struct engine *e)
{
    struct bpor *b = e->state;
    hb_begin(&b->hb);
    fair_begin(&b->fair);
    b->path = 0;
    b->preemptions = 0;
}

static void bpor_observe(struct engine *e, const struct event *ev)
{
    hb_observe(&((struct bpor *)e->state)->hb, ev);
}

/* A new step: from now on nobody needs to ask for it. */
static void take(struct bpor *b, uint32_t step, uint32_t what)
{
    if (step >= b->item_count)
        keyset_add(&b->asked, signature_mix(b->path, what));
    b->path = signature_mix(b->path, what);
}

static int bpor_choose(struct engine *e, const struct decision *d)
{
    struct bpor *b = e->state;
    uint32_t i = e->trace->step_count;
    struct spot *s = &b->spots[i];
    struct tset fair = fair_threads(&b->fair, e->trace, d);
    s->allowed = *d->enabled;
    s->holds = decision_holds(d) && tset_has(&fair, d->last);
    s->last = (int16_t)d->last;
    s->path = b->path;
    s->preemptions = b->preemptions;
    int pick = i < b->item_count ? (int)b->item[i]
               : s->holds        ? d->last
                                 : tset_first(&fair);
    ensure(pick >= 0 && pick < EVENT_MAX_THREADS && tset_has(&s->allowed, pick));
    s->block = i > 0 && s->holds && pick == d->last ? b->spots[i - 1].block : i;
    b->preemptions += s->holds && pick != d->last;
    take(b, i, (uint32_t)pick);
    return pick;
}

static int bpor_branch(struct engine *e, const struct event *op, int n)
{
    struct bpor *b = e->state;
    uint32_t i = e->trace->step_count;
    int value = i < b->item_count ? (int)(b->item[i] & 0xffff) : 0;
    b->spots[i] = (struct spot){.path = b->path, .preemptions = b->preemptions};
    b->spots[i].block = i > 0 ? b->spots[i - 1].block : i;
    take(b, i, (uint32_t)n << 16 | (uint32_t)value);
    return value;
}

/* ---- asking for executions --------------------------------------------------------------------- */

static uint32_t code_of(const struct step *s)
{
    return (uint32_t)s->branch << 16 | s->pick;
}

static void put_item(struct tape *to, const struct trace *t, uint32_t n, uint32_t what)
{
    ensure(n <= t->step_room);
    tape_put(to, n + 1);
    for (uint32_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && code_of(&t->steps[i]) == code_of(&t->steps[i + run]); run++)
            ;
        tape_put(to, code_of(&t->steps[i]));
        tape_put(to, run);
    }
    tape_put(to, what);
    tape_put(to, 1);
}

/* The steps before `step`, then `what`, unless that was asked for before. */
static void ask(struct engine *e, uint32_t step, uint32_t what, uint32_t cost)
{
    ensure(step < e->trace->step_room);
    struct bpor *b = e->state;
    uint64_t key = signature_mix(b->spots[step].path, what);
    if (keyset_has(&b->asked, key))
        return;
    if (cost > b->last_bound) {
        b->stats->left_over = 1;
        return;
    }
    if (keyset_full(&b->asked)) {
        b->lost = true;
        limit_reached(b->hb.limits, LIMIT_MEMORY, engine_memory(e) >> 10);
        return;
    }
    keyset_add(&b->asked, key);
    put_item(cost > b->bound ? b->next : b->again, e->trace, step, what);
    b->stats->waiting += cost > b->bound;
    b->stats->spilled = tape_spilled(b->next);
}

static void ask_thread(struct engine *e, uint32_t step, int t)
{
    ensure(t >= 0 && t < EVENT_MAX_THREADS);
    const struct spot *s = &((struct bpor *)e->state)->spots[step];
    ask(e, step, (uint32_t)t, s->preemptions + (s->holds && t != s->last));
}

static void back_to(struct engine *e, uint32_t step, int t)
{
    ensure(t >= 0 && t < EVENT_MAX_THREADS);
    const struct spot *s = &((struct bpor *)e->state)->spots[step];
    if (tset_has(&s->allowed, t)) {
        ask_thread(e, step, t);
        return;
    }
    TSET_FOR(u, &s->allowed)
        ask_thread(e, step, u);
}

/* For each other thread the last event before `second` that it depends on. */
static void ask_for_conflicts(struct engine *e, uint32_t second)
{
    ensure(second < ((const struct bpor *)e->state)->hb.count);
    struct bpor *b = e->state;
    const struct hb_entry *later = &b->hb.entries[second];
    struct tset seen = {{0}};
    for (uint32_t i = second < b->hb.performed ? second : b->hb.performed; i-- > 0;) {
        const struct hb_entry *first = &b->hb.entries[i];
        int q = first->act.thread, p = later->act.thread;
        if (q == p || first->step == HB_NONE || tset_has(&seen, q) ||
            !act_dependent(&first->act, &later->act))
            continue;
        tset_add(&seen, q);
        back_to(e, first->step, p);
        back_to(e, b->spots[first->step].block, p);
    }
}

static void ask_for_races(struct engine *e)
{
    struct bpor *b = e->state;
    for (uint32_t i = 0; i < b->hb.race_count; i++) {
        uint32_t step = b->hb.entries[b->hb.races[i].first].step;
        int t = b->hb.entries[b->hb.races[i].second].act.thread;
        if (step == HB_NONE)
            continue;
        back_to(e, step, t);
        back_to(e, b->spots[step].block, t);
    }
    for (uint32_t i = 0; i < b->hb.count; i++)
        if (b->hb.entries[i].act.role != ROLE_NONE)
            ask_for_conflicts(e, i);
}

/* The other values of the choices of this execution. */
static void ask_for_values(struct engine *e)
{
    struct bpor *b = e->state;
    const struct trace *t = e->trace;
    for (uint32_t i = b->item_count; i < t->step_count; i++)
        for (uint32_t v = 1; v < t->steps[i].branch; v++)
            ask(e, i, (uint32_t)t->steps[i].branch << 16 | v, b->spots[i].preemptions);
}

/* ---- the next execution ------------------------------------------------------------------------ */

static bool next_queue(struct bpor *b)
{
    struct tape *read = b->now;
    bool same = b->again->length > 0;
    struct tape **from = same ? &b->again : &b->next;
    tape_rewind(*from);
    if ((*from)->failed) {
        b->lost = true;
        limit_reached(b->hb.limits, LIMIT_SPILL, 0);
    }
    if (b->lost || !(*from)->length) {
        b->stats->left_over |= b->lost;
        b->stats->finished = !b->lost;
        return false;
    }
    tape_clear(read);
    b->now = *from;
    *from = read;
    if (same)
        return true;
    b->stats->bound = ++b->bound;
    b->stats->waiting = 0;
    return true;
}

static void read_item(struct bpor *b, uint32_t room)
{
    b->item_count = (uint32_t)tape_get(b->now);
    for (uint32_t i = 0; i < b->item_count && i < room;) {
        uint32_t what = (uint32_t)tape_get(b->now);
        for (uint64_t run = tape_get(b->now); run > 0 && i < room; run--)
            b->item[i++] = what;
    }
}

static int bpor_end(struct engine *e, enum outcome o)
{
    struct bpor *b = e->state;
    if (o == OUTCOME_COMPLETE || o == OUTCOME_BOUND)
        stats_count(b->stats, e->trace, b->bound);
    TSET_FOR(t, e->live)
        hb_pending(&b->hb, &e->next[t]);
    ask_for_races(e);
    ask_for_values(e);
    e->trace->prefix = e->trace->known = 0;
    if (tape_at_end(b->now) && !next_queue(b))
        return 0;
    read_item(b, e->trace->step_room);
    return 1;
}

const struct engine_class engine_bpor = {
    .guarantee = "every Mazurkiewicz trace",
    .bound_unit = "preemption",
    .needs_ends = 1,
    .init = bpor_init,
    .begin = bpor_begin,
    .choose = bpor_choose,
    .branch = bpor_branch,
    .observe = bpor_observe,
    .end = bpor_end,
};
