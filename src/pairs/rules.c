/* Questions about partial tests. A cheap look at the rules that mention the value just set answers
 * most refusals. The last models found are kept: a row that agrees with one of them needs no
 * search, nor does one that agrees but for the value just set if the model stays one when it takes
 * that value. Only what is left goes to the component's SAT solver, with the row as assumptions. */
#include "pairs/rules_internal.h"

#include <stdlib.h>
#include <string.h>

int rules_constrained(const struct rules *r, int param)
{
    return r->component_of[param] >= 0;
}

int rules_any(const struct rules *r)
{
    return r->component_count > 0;
}

/* The next place for a model, cleared of the one that was there. */
static int16_t *forget_oldest(struct component *k, int *slot)
{
    *slot = k->next_model++ % POOL;
    int16_t *model = k->models + (size_t)*slot * (size_t)k->count;
    for (int i = 0; i < k->count; i++)
        if (model[i] >= 0)
            k->pool[k->first_var[i] + model[i]][*slot / 64] &= ~(1ull << *slot % 64);
    return model;
}

static void remember_bits(struct component *k, const int16_t *model, int slot)
{
    for (int i = 0; i < k->count; i++)
        k->pool[k->first_var[i] + model[i]][slot / 64] |= 1ull << slot % 64;
}

static void remember(struct component *k)
{
    int slot;
    int16_t *model = forget_oldest(k, &slot);
    for (int i = 0; i < k->count; i++)
        for (int v = 0; v < k->owner->m->params.items[k->params[i]].count; v++)
            if (sat_value(k->sat, k->first_var[i] + v) == 1)
                model[i] = (int16_t)v;
    remember_bits(k, model, slot);
}

/* Does the remembered model stay one when the parameter takes the value? Then it is added. */
static int flip_model(struct component *k, int slot, int param, int value)
{
    struct rules *r = k->owner;
    const int16_t *model = k->models + (size_t)slot * (size_t)k->count;
    for (int i = 0; i < k->count; i++)
        r->row[k->params[i]] = model[i];
    r->row[param] = (int16_t)value;
    int ok = 1, fresh;
    for (int i = 0; i < r->touching_count[param] && ok; i++)
        ok = rules_truth(r, &r->rules.items[r->touching[param][i]], r->row) == 1;
    if (ok) {
        int16_t *copy = forget_oldest(k, &fresh);
        for (int i = 0; i < k->count; i++)
            copy[i] = r->row[k->params[i]];
        remember_bits(k, copy, fresh);
    }
    for (int i = 0; i < k->count; i++)
        r->row[k->params[i]] = PAIRS_NONE;
    return ok;
}

/* A remembered model that agrees with the row, or does so when `param` takes the row's value. */
static int remembered(struct component *k, const int16_t *row, int param)
{
    struct rules *r = k->owner;
    uint64_t agree[POOL_WORDS];
    int known = k->next_model < POOL ? k->next_model : POOL, own = param >= 0 ? row[param] : -1;
    for (int w = 0; w < POOL_WORDS; w++)
        agree[w] = known >= 64 * (w + 1) ? ~0ull
                   : known > 64 * w      ? (1ull << (known - 64 * w)) - 1
                                         : 0;
    for (int i = 0; i < k->count; i++) {
        int v = row[k->params[i]];
        for (int w = 0; w < POOL_WORDS && v >= 0 && k->params[i] != param; w++)
            agree[w] &= k->pool[k->first_var[i] + v][w];
    }
    for (int w = 0; w < POOL_WORDS && own >= 0; w++)
        if (agree[w] & k->pool[k->first_var[r->place[param]] + own][w])
            return 1;
    if (own < 0 || r->m->params.items[param].values[own].negative)
        return own < 0 && (agree[0] | agree[1] | agree[2] | agree[3]);
    for (int w = 0, tries = 0; w < POOL_WORDS; w++)
        for (; agree[w] && tries < 3; agree[w] &= agree[w] - 1, tries++)
            if (flip_model(k, 64 * w + __builtin_ctzll(agree[w]), param, own))
                return 1;
    return 0;
}

/* Is there a model of the component that agrees with the row? The solver then holds one. */
static int component_allows(struct component *k, const int16_t *row)
{
    struct rules *r = k->owner;
    int n = 0;
    if (k->broken)
        return 0;
    for (int i = 0; i < k->count; i++)
        if (row[k->params[i]] >= 0)
            r->assumptions[n++] = SAT_LIT(k->first_var[i] + row[k->params[i]], 0);
    if (!sat_solve(k->sat, r->assumptions, n))
        return 0;
    remember(k);
    return 1;
}

/* Is the rule false whatever the open cells become? Cheap, and answers most refusals. */
static int violated(const struct rules *r, const struct rule *rule, const int16_t *row)
{
    for (int i = 0; i < rule->count; i++) {
        const struct atom *a = &rule->atoms[i];
        if (a->e->kind == EXPR_IN
                ? row[a->e->param] < 0 || a->e->set[row[a->e->param]] != a->negated
                : expr_truth(a->e, r->m, row) != a->negated)
            return 0;
    }
    return 1;
}

int rules_extendable(struct rules *r, const int16_t *row, int param)
{
    if (param >= 0 && r->component_of[param] < 0)
        return 1;
    for (int i = 0; param >= 0 && i < r->touching_count[param]; i++)
        if (violated(r, &r->rules.items[r->touching[param][i]], row))
            return 0;
    int from = param >= 0 ? r->component_of[param] : 0,
        to = param >= 0 ? from + 1 : r->component_count;
    for (int c = from; c < to; c++)
        if (r->components[c].broken || (!remembered(&r->components[c], row, param) &&
                                        !component_allows(&r->components[c], row)))
            return 0;
    return 1;
}

int rules_satisfiable(struct rules *r)
{
    int ok;
    for (size_t i = 0; i < r->rules.count; i++)
        if (r->rules.items[i].param_count == 0 && rules_truth(r, &r->rules.items[i], r->row) == 0)
            return 0;
    int16_t *open = mem_alloc(sizeof *open * (size_t)(r->n + 1));
    memset(open, 0xff, sizeof *open * (size_t)(r->n + 1));
    ok = rules_extendable(r, open, -1);
    free(open);
    return ok;
}

int rules_complete(struct rules *r, int16_t *row, const int16_t *wish)
{
    for (int c = 0; c < r->component_count; c++) {
        struct component *k = &r->components[c];
        for (int i = 0; i < k->count; i++) {
            int p = k->params[i];
            for (int v = 0; wish && v < r->m->params.items[p].count; v++)
                sat_prefer(k->sat, k->first_var[i] + v, wish[p] < 0 || wish[p] == v);
        }
        if (!component_allows(k, row))
            return -1;
        const int16_t *model = k->models + (size_t)((k->next_model - 1) % POOL) * (size_t)k->count;
        for (int i = 0; i < k->count; i++)
            row[k->params[i]] = model[i];
    }
    return 0;
}

static int count_negative(const struct rules *r, const int16_t *row)
{
    int n = 0;
    for (int p = 0; p < r->n; p++)
        n += row[p] >= 0 && r->m->params.items[p].values[row[p]].negative;
    return n;
}

int rules_hold(const struct rules *r, const int16_t *row, int param)
{
    if (param >= 0 && r->component_of[param] < 0)
        return 1;
    int count = param >= 0 ? r->touching_count[param] : (int)r->rules.count;
    for (int i = 0; i < count; i++) {
        int at = param >= 0 ? r->touching[param][i] : i;
        if (rules_truth(r, &r->rules.items[at], row) != 1)
            return 0;
    }
    if (r->m->params.count && (param < 0 || rules_has_negative(r->m, param)))
        return count_negative(r, row) <= (r->mode == RULES_NEGATIVE);
    return 1;
}
