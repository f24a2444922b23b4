/* 001_*.txt, figures 4.1 (the strategy), 4.2 (IPO_V), 4.4 (IPO_H_IV), 4.5 (mark) and 4.6 (eval), with their
 * names: lambda tells whether a pair is covered, theta which value an open cell ("-") can take to cover a
 * new one. Read literally but for one thing: theta also moves on when the pair it points at is covered by
 * a cell that was not open. Without that eval promises pairs that are covered already, and 4^10 takes 39
 * tests where table 4.4 has 31. */
#include "pairs/ipo_figures.h"

#include <stdlib.h>

enum { OPEN = PAIRS_NONE, NO_VALUE = -1 };

struct growth {
    const struct problem *p;
    struct table *t;
    int i;                 /* the new parameter; those before it are in the tests */
    int widest;            /* m_i: most values of any parameter */
    unsigned char *lambda; /* [value of p_i][parameter][value]: covered */
    int *theta;            /* [value of p_i][parameter]: first value not covered, NO_VALUE: none */
};

static unsigned char *lambda_of(const struct growth *g, int k, int l)
{
    return g->lambda + ((size_t)k * (size_t)g->i + (size_t)l) * (size_t)g->widest;
}

static int *theta_of(const struct growth *g, int k, int l)
{
    return g->theta + (size_t)k * (size_t)g->i + l;
}

static void move_theta(const struct growth *g, int k, int l)
{
    int *theta = theta_of(g, k, l);
    const unsigned char *covered = lambda_of(g, k, l);
    while (*theta != NO_VALUE && covered[*theta])
        if (++*theta == g->p->levels[l])
            *theta = NO_VALUE;
}

/* Figure 4.5: the test gets the k-th value of p_i. */
static void mark(const struct growth *g, int16_t *test, int k)
{
    test[g->i] = (int16_t)k;
    for (int l = 0; l < g->i; l++) {
        if (test[l] == OPEN && *theta_of(g, k, l) != NO_VALUE)
            test[l] = (int16_t)*theta_of(g, k, l);
        if (test[l] != OPEN)
            lambda_of(g, k, l)[test[l]] = 1;
        move_theta(g, k, l);
    }
}

/* Figure 4.6: how many pairs it would cover. */
static int eval(const struct growth *g, const int16_t *test, int k)
{
    int r = 0;
    for (int l = 0; l < g->i; l++)
        r += test[l] != OPEN ? !lambda_of(g, k, l)[test[l]] : *theta_of(g, k, l) != NO_VALUE;
    return r;
}

/* Figure 4.4. */
static void ipo_h_iv(const struct growth *g)
{
    int d = g->p->levels[g->i];
    for (size_t j = 0; j < g->t->count; j++) {
        int16_t *test = table_row(g->t, j);
        int best = j < (size_t)d ? (int)j : 0, most = 0;
        for (int v = 0; j >= (size_t)d && v < d; v++) {
            int w = eval(g, test, v);
            if (most < w) {
                most = w;
                best = v;
            }
        }
        mark(g, test, best);
    }
}

/* Figure 4.2, for the pairs (p_k.w, p_i.u) that are missing: into a new test with u where p_k is open, or
 * into one more. */
static void ipo_v(const struct growth *g)
{
    for (int u = 0; u < g->p->levels[g->i]; u++) {
        size_t first = g->t->count;
        for (int k = 0; k < g->i; k++)
            for (int w = 0; w < g->p->levels[k]; w++) {
                if (lambda_of(g, u, k)[w])
                    continue;
                size_t at = first;
                while (at < g->t->count && table_row(g->t, at)[k] != OPEN)
                    at++;
                int16_t *test = at < g->t->count ? table_row(g->t, at) : table_add(g->t);
                test[k] = (int16_t)w;
                test[g->i] = (int16_t)u;
            }
    }
}

static void add_parameter(const struct problem *p, struct table *t, int i, int widest)
{
    struct growth g = {.p = p, .t = t, .i = i, .widest = widest};
    size_t columns = (size_t)p->levels[i] * (size_t)i;
    g.lambda = mem_alloc(columns * (size_t)widest);
    g.theta = mem_alloc(columns * sizeof *g.theta);
    ipo_h_iv(&g);
    ipo_v(&g);
    free(g.lambda);
    free(g.theta);
}

int ipo_figures_generate(const struct problem *p, struct table *t, struct error *e)
{
    if (!problem_is_simple(p) || p->has_negative || p->strength != 2 || t->count) {
        error_set(e, EXIT_USAGE, "--method ipo is for pairs of a model without constraints, groups, "
                                 "invalid values and given tests");
        error_todo(e, "--method ipog takes them all");
        return -1;
    }
    int widest = 1;
    for (int i = 0; i < p->n; i++)
        widest = p->levels[i] > widest ? p->levels[i] : widest;
    for (int a = 0; a < p->levels[0]; a++)
        for (int b = 0; b < (p->n > 1 ? p->levels[1] : 1); b++) {
            int16_t *test = table_add(t);
            test[0] = (int16_t)a;
            if (p->n > 1)
                test[1] = (int16_t)b;
        }
    for (int i = 2; i < p->n; i++)
        add_parameter(p, t, i, widest);
    return 0;
}
