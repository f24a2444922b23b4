/* The checker's search for a valid test that contains a tuple: backtracking with forward checking,
 * most constrained parameter first, over the parameters that constraints connect with the tuple.
 * Tuples proved impossible are reduced to a smallest impossible part and remembered, so that what
 * contains such a part needs no search. */
#include "pairs/check.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 300000

struct check_search {
    const struct pairs_model *m;
    int n, **of_param, *of_count; /* constraints that mention each parameter */
    int **params, *param_count;   /* parameters that each constraint mentions */
    int16_t *row;
    unsigned char *active;
    long nodes;
    int allow_negative; /* the parameter that has the one invalid value, or -1 */
    VEC(struct check_tuple) cores;
};

static void mentions(const struct pairs_expr *e, unsigned char *seen)
{
    if (!e)
        return;
    if (e->kind == EXPR_IN || e->kind == EXPR_TEXT || e->kind == EXPR_PARAM)
        seen[e->param] = 1;
    if (e->kind == EXPR_TEXT)
        seen[e->other] = 1;
    mentions(e->left, seen);
    mentions(e->right, seen);
}

struct check_search *check_search_new(const struct pairs_model *m)
{
    struct check_search *s = mem_alloc(sizeof *s);
    size_t n = m->params.count, c = m->constraints.count;
    s->m = m;
    s->n = (int)n;
    s->of_param = mem_alloc(sizeof *s->of_param * (n + 1));
    s->of_count = mem_alloc(sizeof(int) * (n + 1));
    s->params = mem_alloc(sizeof *s->params * (c + 1));
    s->param_count = mem_alloc(sizeof(int) * (c + 1));
    s->row = mem_alloc(sizeof *s->row * (n + 1));
    s->active = mem_alloc(n + 1);
    unsigned char *seen = mem_alloc(n + 1);
    for (size_t i = 0; i < c; i++) {
        memset(seen, 0, n);
        mentions(m->constraints.items[i].expr, seen);
        s->params[i] = mem_alloc(sizeof(int) * (n + 1));
        for (size_t p = 0; p < n; p++)
            if (seen[p]) {
                s->params[i][s->param_count[i]++] = (int)p;
                s->of_param[p] =
                    mem_realloc(s->of_param[p], sizeof(int) * (size_t)(s->of_count[p] + 1));
                s->of_param[p][s->of_count[p]++] = (int)i;
            }
    }
    free(seen);
    return s;
}

void check_search_free(struct check_search *s)
{
    for (int p = 0; p < s->n; p++)
        free(s->of_param[p]);
    for (size_t i = 0; i < s->m->constraints.count; i++)
        free(s->params[i]);
    free(s->of_param);
    free(s->of_count);
    free(s->params);
    free(s->param_count);
    free(s->row);
    free(s->active);
    vec_free(&s->cores);
    free(s);
}

static int allowed(const struct check_search *s, int p, int v)
{
    return !s->m->params.items[p].values[v].negative || s->allow_negative == p;
}

/* Does no constraint refuse the row after p got its value? */
static int consistent(const struct check_search *s, int p)
{
    for (int i = 0; i < s->of_count[p]; i++)
        if (check_holds(s->m, s->m->constraints.items[s->of_param[p][i]].expr, s->row) == 0)
            return 0;
    return 1;
}

static int fits(struct check_search *s, int p, int v)
{
    s->row[p] = (int16_t)v;
    int ok = allowed(s, p, v) && consistent(s, p);
    s->row[p] = -1;
    return ok;
}

/* The open parameter with the fewest values left; -1 if all are set, -2 if one has none left. */
static int choose(struct check_search *s)
{
    int best = -1, fewest = 0;
    for (int p = 0; p < s->n; p++) {
        if (!s->active[p] || s->row[p] >= 0)
            continue;
        int left = 0;
        for (int v = 0; v < s->m->params.items[p].count && (best < 0 || left < fewest); v++)
            left += fits(s, p, v);
        if (left == 0)
            return -2;
        if (best < 0 || left < fewest) {
            best = p;
            fewest = left;
        }
        if (fewest == 1)
            break;
    }
    return best;
}

static int extend(struct check_search *s)
{
    if (++s->nodes > MAX_NODES)
        return -1;
    int p = choose(s);
    if (p < 0)
        return p == -1;
    int gave_up = 0;
    for (int v = 0; v < s->m->params.items[p].count; v++) {
        if (!fits(s, p, v))
            continue;
        s->row[p] = (int16_t)v;
        int found = extend(s);
        s->row[p] = -1;
        if (found == 1)
            return 1;
        gave_up |= found < 0;
    }
    return gave_up ? -1 : 0;
}

/* Marks the parameters that constraints connect with the tuple. */
static void activate(struct check_search *s, const struct check_tuple *t)
{
    int *queue = mem_alloc(sizeof(int) * (size_t)(s->n + 1)), head = 0, tail = 0;
    memset(s->active, 0, (size_t)s->n);
    for (int i = 0; i < t->count; i++) {
        s->active[t->params[i]] = 1;
        queue[tail++] = t->params[i];
    }
    while (head < tail) {
        int p = queue[head++];
        for (int i = 0; i < s->of_count[p]; i++) {
            int c = s->of_param[p][i];
            for (int k = 0; k < s->param_count[c]; k++)
                if (!s->active[s->params[c][k]]) {
                    s->active[s->params[c][k]] = 1;
                    queue[tail++] = s->params[c][k];
                }
        }
    }
    free(queue);
}

static int search(struct check_search *s, const struct check_tuple *t)
{
    memset(s->row, 0xff, sizeof *s->row * (size_t)(s->n + 1));
    s->allow_negative = -1;
    s->nodes = 0;
    for (int i = 0; i < t->count; i++) {
        s->row[t->params[i]] = (int16_t)t->values[i];
        if (s->m->params.items[t->params[i]].values[t->values[i]].negative)
            s->allow_negative = t->params[i];
    }
    activate(s, t);
    for (int i = 0; i < t->count; i++)
        if (!consistent(s, t->params[i]))
            return 0;
    return extend(s);
}

static int contains(const struct check_tuple *t, const struct check_tuple *core)
{
    for (int i = 0; i < core->count; i++) {
        int found = 0;
        for (int j = 0; j < t->count && !found; j++)
            found = t->params[j] == core->params[i] && t->values[j] == core->values[i];
        if (!found)
            return 0;
    }
    return 1;
}

static void remember_core(struct check_search *s, struct check_tuple t)
{
    for (int i = t.count - 1; i >= 0 && t.count > 1; i--) {
        struct check_tuple part = t;
        part.count--;
        for (int j = i; j < part.count; j++) {
            part.params[j] = t.params[j + 1];
            part.values[j] = t.values[j + 1];
        }
        if (search(s, &part) == 0)
            t = part;
    }
    vec_push(&s->cores, t);
}

int check_search_possible(struct check_search *s, const struct check_tuple *t)
{
    for (size_t i = 0; i < s->cores.count; i++)
        if (contains(t, &s->cores.items[i]))
            return 0;
    int found = search(s, t);
    if (found == 0)
        remember_core(s, *t);
    return found;
}
