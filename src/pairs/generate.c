/* The strategies, all deterministic for a given seed:
 *   1. IPO with best-first horizontal growth, a few orders of the parameters;
 *   2. if nothing but plain coverage is asked for, IPO started from an algebraic array;
 *   3. rows that are not needed are removed, rows that can be are merged;
 *   4. tabu search on the best of these, for an amount of work that keeps the whole as fast as a
 *      greedy generator, or for as long as --optimize says;
 *   5. the tests are ordered so that early ones cover most.
 * Tests with an invalid value are a problem of their own, solved after the others: such a test may
 * end at the invalid value, so what else it contains does not count as covered. */
#include "pairs/generate.h"

#include "base/progress.h"
#include "pairs/algebra.h"
#include "pairs/cover.h"
#include "pairs/exact.h"
#include "pairs/ipo_figures.h"
#include "pairs/reuse.h"
#include "pairs/tabu.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COVER_TUPLES 15000000 /* beyond this, tests are neither optimised nor ordered */
#define MAX_ORDER_ENTRIES 200000000
#define SMALL_POLISH 500000 /* look-ups: a millisecond or two */
#define POLISH_FACTOR 20    /* … or this many per tuple of each test, if that is more */

struct pairs_run {
    const struct pairs_options *o;
    struct problem p;
    struct table start, best;
    struct impossible_list *impossible;
    struct rng rng;
    struct error *e;
    size_t bound;
};

static void keep_better(struct pairs_run *run, struct table *t)
{
    if (run->best.cells && run->best.count <= t->count) {
        table_free(t);
        return;
    }
    table_free(&run->best);
    run->best = *t;
}

static int try_ipo(struct pairs_run *run, struct table *t, struct rng *rng,
                   struct impossible_list *impossible)
{
    int *order = mem_alloc(sizeof(int) * (size_t)(run->p.n + 1));
    ipo_order(&run->p, order, rng);
    struct ipo_options io = {.order = order,
                             .rng = rng,
                             .in_order = run->o->plain_ipo,
                             .impossible = impossible,
                             .limit = run->best.cells ? run->best.count : 0};
    int status = ipo_generate(&run->p, t, &io, run->e);
    free(order);
    return status;
}

/* One IPO from the given rows; keeps it if it is the smallest so far. */
static int one_ipo(struct pairs_run *run, const struct table *from, struct rng *rng,
                   struct impossible_list *impossible)
{
    struct table t;
    table_copy(&t, from);
    int status = try_ipo(run, &t, rng, impossible);
    if (status) {
        table_free(&t);
        return status < 0 ? -1 : 0;
    }
    ipo_complete(&run->p, &t, &run->rng);
    keep_better(run, &t);
    return 0;
}

/* Algebraic starts: for each number of values L, an array on the parameters with L values, filled
 * up with smaller ones while the array has columns to spare. */
static int algebraic_starts(struct pairs_run *run)
{
    int n = run->p.n, *order = mem_alloc(sizeof(int) * (size_t)(n + 1)), status = 0;
    ipo_order(&run->p, order, NULL);
    for (int i = 0; i < n && status == 0; i++) {
        int values = run->p.levels[order[i]], from = i, same = 0;
        while (i + same < n && run->p.levels[order[i + same]] == values)
            same++;
        i += same - 1;
        if (values < 2 || same < run->p.strength + 1)
            continue;
        struct table t;
        table_copy(&t, &run->start);
        int spare = values == 2 ? same : same < values + 1 ? values + 1 : same;
        spare = spare < n - from ? spare : n - from;
        int used = algebra_array(&run->p, &t, run->p.strength, values, order + from, spare);
        if (used == n) { /* complete as it is */
            ipo_complete(&run->p, &t, &run->rng);
            keep_better(run, &t);
            continue;
        }
        if (used)
            status = one_ipo(run, &t, NULL, NULL);
        table_free(&t);
    }
    free(order);
    return status;
}

/* Plain coverage is cheap to try again with other orders while the model is small. */
static int more_orders(const struct pairs_run *run)
{
    double combinations, tuples;
    problem_estimate(&run->p, &combinations, &tuples);
    double cost = combinations * (double)(run->best.count + 1);
    return cost < 20000 ? 4 : cost < 100000 ? 1 : 0;
}

/* Is an algebraic array, which takes no time, enough for a model too large to try everything? */
static int too_large(const struct pairs_run *run)
{
    double combinations, tuples;
    problem_estimate(&run->p, &combinations, &tuples);
    return run->best.cells && combinations > 10000000;
}

static int construct(struct pairs_run *run)
{
    if (run->o->exact || run->o->figures) {
        table_copy(&run->best, &run->start);
        if (run->o->figures ? ipo_figures_generate(&run->p, &run->best, run->e)
                            : exact_generate(&run->p, &run->best, run->e))
            return -1;
        ipo_complete(&run->p, &run->best, &run->rng);
        return 0;
    }
    int simple = problem_is_simple(&run->p) && !run->o->plain_ipo;
    if (simple && algebraic_starts(run))
        return -1;
    if (run->best.cells && (run->best.count <= run->bound || too_large(run)))
        return 0;
    if (one_ipo(run, &run->start, NULL, run->impossible))
        return -1;
    for (int i = run->o->plain_ipo ? 0 : more_orders(run); i > 0 && run->best.count > run->bound;
         i--)
        if (one_ipo(run, &run->start, &run->rng, NULL))
            return -1;
    return 0;
}

struct telling {
    const struct pairs_options *o;
    size_t bound;
};

static void tell(void *context, size_t rows, size_t uncovered)
{
    const struct telling *t = context;
    t->o->tell(t->o->context, rows, uncovered, t->bound);
}

/* The lower bound: by construction theory, or the tuples of one combination that are possible. */
static size_t bound_of(const struct cover *c, const struct problem *p)
{
    size_t best = problem_is_simple(p) ? algebra_lower_bound(p) : 1;
    for (int k = 0; k < c->own.count; k++) {
        size_t end = k + 1 < c->own.count ? c->own.base[k + 1] : c->tuples, n = 0;
        for (size_t i = c->own.base[k]; i < end; i++)
            n += c->wanted[i];
        best = n > best ? n : best;
    }
    return best;
}

static int has_weights(const struct pairs_model *m)
{
    for (size_t i = 0; i < m->params.count; i++)
        for (int v = 0; v < m->params.items[i].count; v++)
            if (m->params.items[i].values[v].weight != 1)
                return 1;
    return 0;
}

static void polish(struct pairs_run *run, struct cover *c)
{
    struct telling telling = {run->o, run->bound};
    struct tabu_options to = {.goal = run->bound, .stop = run->o->stop};
    if (run->o->optimize > 0) {
        to.deadline = progress_now() + run->o->optimize;
        to.tell = run->o->tell ? tell : NULL;
        to.context = &telling;
    } else {
        to.work = (uint64_t)run->best.count * (uint64_t)c->own.count * POLISH_FACTOR;
        if (to.work < SMALL_POLISH)
            to.work = SMALL_POLISH;
    }
    if (run->best.count > run->bound)
        cover_reduce(c, &run->best);
    if (run->best.count > run->bound)
        tabu_shrink(c, &run->best, &run->rng, &to);
}

static void finish(struct pairs_run *run, struct pairs_result *r, size_t **gains)
{
    struct cover c;
    run->best.fixed = run->start.fixed;
    if (run->o->plain_ipo || run->o->figures || cover_init(&c, &run->p, &run->best, MAX_COVER_TUPLES))
        return;
    run->bound = bound_of(&c, &run->p);
    if (!run->o->exact)
        polish(run, &c);
    if (has_weights(run->p.m))
        cover_reweigh(&c, &run->best, &run->rng);
    for (size_t i = 0; i < c.tuples; i++)
        r->tuples += c.wanted[i];
    if (!run->o->keep_order && run->best.count * (size_t)c.own.count < MAX_ORDER_ENTRIES) {
        *gains = mem_alloc(sizeof **gains * (run->best.count + 1));
        cover_order(&c, &run->best, *gains);
    }
    cover_free(&c);
}

/* Which constraints contradict each other: leaves out what can be left out. */
static int contradiction(const struct pairs_model *m, struct error *e)
{
    struct pairs_model part = *m;
    size_t n = m->constraints.count, kept = n;
    part.constraints.items = mem_alloc(sizeof *part.constraints.items * (n + 1));
    memcpy(part.constraints.items, m->constraints.items, sizeof *part.constraints.items * n);
    for (size_t i = n; i-- > 0 && n <= 2000;) {
        struct pairs_constraint out = part.constraints.items[i];
        memmove(part.constraints.items + i, part.constraints.items + i + 1,
                sizeof out * (kept - i - 1));
        part.constraints.count = kept - 1;
        struct rules *r = rules_new(&part, RULES_POSITIVE);
        if (rules_satisfiable(r)) {
            memmove(part.constraints.items + i + 1, part.constraints.items + i,
                    sizeof out * (kept - i - 1));
            part.constraints.items[i] = out;
        } else {
            kept--;
        }
        rules_free(r);
    }
    error_set(e, EXIT_BUG, "no test satisfies the constraints: %zu of them contradict each other",
              kept);
    char lines[400] = "";
    for (size_t i = 0; i < kept && strlen(lines) < 360; i++) {
        char *one = mem_printf("line %d: %.60s", part.constraints.items[i].line,
                               part.constraints.items[i].text);
        for (char *c = one; *c; c++)
            *c = *c == '\n' || *c == '\r' ? ' ' : *c;
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s", i ? "\n        " : "",
                 one);
        free(one);
    }
    error_todo(e, "%s", lines);
    free(part.constraints.items);
    return -1;
}

static int solve(struct pairs_run *run, struct pairs_result *r, size_t **gains)
{
    if (construct(run))
        return -1;
    finish(run, r, gains);
    r->lower_bound += run->bound;
    return 0;
}

static int any_negative(const struct pairs_model *m)
{
    for (size_t i = 0; i < m->params.count; i++)
        for (int v = 0; v < m->params.items[i].count; v++)
            if (m->params.items[i].values[v].negative)
                return 1;
    return 0;
}

static void append(struct table *to, const struct table *from)
{
    for (size_t i = 0; i < from->count; i++)
        memcpy(table_add(to), table_row(from, i), sizeof *from->cells * (size_t)from->width);
}

static int run_mode(const struct pairs_model *m, const struct pairs_options *o,
                    struct pairs_result *r, enum rules_mode mode, struct error *e)
{
    struct pairs_run run = {.o = o, .impossible = &r->impossible, .e = e};
    problem_init(&run.p, m, o->strength, mode);
    rng_seed(&run.rng, o->seed + (uint64_t)mode);
    table_init(&run.start, run.p.n);
    int bad = !rules_satisfiable(run.p.rules);
    if (bad && mode == RULES_POSITIVE)
        contradiction(m, e);
    size_t *gains = NULL;
    if (!bad) {
        if (problem_is_simple(&run.p))
            run.bound = algebra_lower_bound(&run.p);
        reuse_tests(&run.p, o, r, &run.start);
        bad = solve(&run, r, &gains);
    }
    if (!bad) {
        size_t before = r->tests.count;
        append(&r->tests, &run.best);
        r->negative_tests += mode == RULES_NEGATIVE ? run.best.count : 0;
        if (gains) {
            r->gains = mem_realloc(r->gains, sizeof *gains * (r->tests.count + 1));
            memcpy(r->gains + before, gains, sizeof *gains * run.best.count);
        }
    }
    free(gains);
    table_free(&run.best);
    table_free(&run.start);
    problem_free(&run.p);
    return bad && mode == RULES_POSITIVE ? -1 : 0;
}

int pairs_generate(const struct pairs_model *m, const struct pairs_options *o,
                   struct pairs_result *r, struct error *e)
{
    *r = (struct pairs_result){0};
    table_init(&r->tests, (int)m->params.count);
    int bad = run_mode(m, o, r, RULES_POSITIVE, e);
    if (!bad && any_negative(m))
        bad = run_mode(m, o, r, RULES_NEGATIVE, e);
    if (bad)
        pairs_result_free(r);
    return bad;
}

void pairs_result_free(struct pairs_result *r)
{
    table_free(&r->tests);
    vec_free(&r->impossible);
    free(r->gains);
    *r = (struct pairs_result){0};
}
