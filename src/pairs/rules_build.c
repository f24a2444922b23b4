/* Constraints for the generator. Each constraint is brought into conjunctive form: a rule is a
 * disjunction of atoms. The parameters fall into components that no rule connects; each component
 * has a SAT solver of its own with one variable per value of a parameter (exactly one is true).
 * A rule whose atoms are all "parameter in set" is one clause. Other rules (comparisons of
 * parameters, arithmetic) are turned into clauses by a decision tree over the parameters involved,
 * pruned where the rule is already decided; if the tree grows too large the rule stays lazy: it is
 * evaluated on the partial assignments of the search and refutes them with a nogood that is made
 * as small as the interval evaluation allows. Thus every question has an exact answer. */
#include "pairs/rules_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CLAUSES 2000 /* of one constraint's conjunctive form */
#define MAX_TREE_NODES 20000
/* ---- conjunctive form ---- */

struct clause {
    struct atom *atoms;
    int count;
};

struct cnf {
    struct clause *items;
    size_t count, room;
};

static void cnf_free(struct cnf *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->items[i].atoms);
    vec_free(c);
}

static struct cnf cnf_unit(const struct pairs_expr *e, int negated)
{
    struct cnf c = {0};
    struct clause one = {.atoms = mem_alloc(sizeof(struct atom)), .count = 1};
    one.atoms[0] = (struct atom){e, negated};
    vec_push(&c, one);
    return c;
}

static struct cnf cnf_cross(struct cnf *a, struct cnf *b)
{
    struct cnf c = {0};
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            const struct clause *x = &a->items[i], *y = &b->items[j];
            struct clause both = {.count = x->count + y->count};
            both.atoms = mem_alloc(sizeof(struct atom) * (size_t)both.count);
            memcpy(both.atoms, x->atoms, sizeof(struct atom) * (size_t)x->count);
            memcpy(both.atoms + x->count, y->atoms, sizeof(struct atom) * (size_t)y->count);
            vec_push(&c, both);
        }
    cnf_free(a);
    cnf_free(b);
    return c;
}

/* Distributes OR over AND as long as that stays small; a subtree too large becomes one atom. */
static struct cnf cnf_of(const struct pairs_expr *e, int negated)
{
    if (e->kind == EXPR_NOT)
        return cnf_of(e->left, !negated);
    if (e->kind != EXPR_AND && e->kind != EXPR_OR)
        return cnf_unit(e, negated);
    struct cnf a = cnf_of(e->left, negated), b = cnf_of(e->right, negated);
    if ((e->kind == EXPR_AND) != negated) {
        for (size_t i = 0; i < b.count; i++)
            vec_push(&a, b.items[i]);
        vec_free(&b);
        return a;
    }
    if (a.count * b.count <= MAX_CLAUSES)
        return cnf_cross(&a, &b);
    cnf_free(&a);
    cnf_free(&b);
    return cnf_unit(e, negated);
}

int rules_truth(const struct rules *r, const struct rule *rule, const int16_t *row)
{
    int result = 0;
    for (int i = 0; i < rule->count; i++) {
        const struct atom *a = &rule->atoms[i];
        int t = expr_truth(a->e, r->m, row);
        if (t == !a->negated)
            return 1;
        if (t == 2)
            result = 2;
    }
    return result;
}

static void add_rule(struct rules *r, struct clause *c)
{
    unsigned char *used = mem_alloc((size_t)r->n + 1);
    struct rule rule = {.atoms = c->atoms, .count = c->count};
    for (int i = 0; i < c->count; i++)
        expr_params(c->atoms[i].e, used);
    for (int p = 0; p < r->n; p++)
        rule.param_count += used[p];
    rule.params = mem_alloc(sizeof(int) * (size_t)(rule.param_count + 1));
    for (int p = 0, k = 0; p < r->n; p++)
        if (used[p])
            rule.params[k++] = p;
    free(used);
    vec_push(&r->rules, rule);
}

/* ---- components ---- */

static int find_root(int *parent, int p)
{
    while (parent[p] != p)
        p = parent[p] = parent[parent[p]];
    return p;
}

int rules_has_negative(const struct pairs_model *m, int p)
{
    for (int v = 0; v < m->params.items[p].count; v++)
        if (m->params.items[p].values[v].negative)
            return 1;
    return 0;
}

static void connect(struct rules *r, int *parent, unsigned char *used)
{
    for (size_t i = 0; i < r->rules.count; i++) {
        const struct rule *rule = &r->rules.items[i];
        for (int k = 0; k < rule->param_count; k++) {
            used[rule->params[k]] = 1;
            parent[find_root(parent, rule->params[k])] = find_root(parent, rule->params[0]);
        }
    }
    for (int p = 0, first = -1; p < r->n; p++) {
        if (!rules_has_negative(r->m, p))
            continue;
        used[p] = 1;
        if (r->mode == RULES_NEGATIVE && first >= 0)
            parent[find_root(parent, p)] = find_root(parent, first);
        first = first < 0 ? p : first;
    }
}

static void make_components(struct rules *r)
{
    int *parent = mem_alloc(sizeof(int) * (size_t)(r->n + 1));
    unsigned char *used = mem_alloc((size_t)r->n + 1);
    for (int p = 0; p < r->n; p++) {
        parent[p] = p;
        r->component_of[p] = -1;
    }
    connect(r, parent, used);
    for (int p = 0; p < r->n; p++) {
        if (!used[p])
            continue;
        int root = find_root(parent, p);
        if (r->component_of[root] < 0)
            r->component_of[root] = r->component_count++;
        r->component_of[p] = r->component_of[root];
    }
    r->components = mem_alloc(sizeof *r->components * (size_t)(r->component_count + 1));
    for (int p = 0; p < r->n; p++)
        if (used[p])
            r->components[r->component_of[p]].count++;
    for (int c = 0; c < r->component_count; c++) {
        struct component *k = &r->components[c];
        k->owner = r;
        k->params = mem_alloc(sizeof(int) * (size_t)k->count);
        k->first_var = mem_alloc(sizeof(int) * (size_t)k->count);
        k->rules = mem_alloc(sizeof(int) * (r->rules.count + 1));
        k->count = 0;
    }
    for (int p = 0; p < r->n; p++)
        if (used[p]) {
            struct component *k = &r->components[r->component_of[p]];
            r->place[p] = k->count;
            k->params[k->count++] = p;
        }
    free(parent);
    free(used);
}

/* ---- clauses ---- */

static sat_lit value_lit(const struct rules *r, int p, int v, int negated)
{
    const struct component *k = &r->components[r->component_of[p]];
    return SAT_LIT(k->first_var[r->place[p]] + v, negated);
}

/* Pairwise for few literals, a ladder of helper variables for many. */
static void at_most_one(struct sat *sat, const sat_lit *lits, int count)
{
    for (int v = 0; count <= 12 && v < count; v++)
        for (int w = v + 1; w < count; w++)
            sat_add_clause(sat, (sat_lit[]){SAT_NOT(lits[v]), SAT_NOT(lits[w])}, 2);
    if (count <= 12)
        return;
    sat_lit step = -1;
    for (int v = 0; v < count; v++) { /* step: one of the literals up to v is true */
        sat_lit next = SAT_LIT(sat_add_var(sat), 0);
        sat_add_clause(sat, (sat_lit[]){SAT_NOT(lits[v]), next}, 2);
        if (v > 0) {
            sat_add_clause(sat, (sat_lit[]){SAT_NOT(step), next}, 2);
            sat_add_clause(sat, (sat_lit[]){SAT_NOT(step), SAT_NOT(lits[v])}, 2);
        }
        step = next;
    }
}

static void add_domain(struct rules *r, struct component *k, int p)
{
    const struct pairs_param *param = &r->m->params.items[p];
    sat_lit *some = mem_alloc(sizeof *some * (size_t)param->count);
    k->first_var[r->place[p]] = -1;
    for (int v = 0; v < param->count; v++) {
        int var = sat_add_var(k->sat);
        if (v == 0)
            k->first_var[r->place[p]] = var;
        sat_prefer(k->sat, var, 1);
        some[v] = SAT_LIT(var, 0);
    }
    sat_add_clause(k->sat, some, param->count);
    at_most_one(k->sat, some, param->count);
    for (int v = 0; r->mode == RULES_POSITIVE && v < param->count; v++)
        if (param->values[v].negative)
            sat_add_clause(k->sat, (sat_lit[]){SAT_NOT(some[v])}, 1);
    free(some);
}

/* At most one parameter has an invalid value: a helper variable per parameter. */
static void add_one_negative(struct rules *r)
{
    VEC(sat_lit) signs = {0};
    struct sat *sat = NULL;
    for (int p = 0; p < r->n; p++) {
        if (!rules_has_negative(r->m, p))
            continue;
        sat = r->components[r->component_of[p]].sat;
        sat_lit sign = SAT_LIT(sat_add_var(sat), 0);
        for (int v = 0; v < r->m->params.items[p].count; v++)
            if (r->m->params.items[p].values[v].negative)
                sat_add_clause(sat, (sat_lit[]){value_lit(r, p, v, 1), sign}, 2);
        for (size_t i = 0; i < signs.count; i++)
            sat_add_clause(sat, (sat_lit[]){SAT_NOT(signs.items[i]), SAT_NOT(sign)}, 2);
        vec_push(&signs, sign);
    }
    vec_free(&signs);
}

struct tree {
    struct rules *r;
    const struct rule *rule;
    struct sat *sat;
    int nodes;
    VEC(sat_lit) clause;
    VEC(int) found; /* clauses: length, literals */
};

/* Walks all values of the rule's parameters from the depth-th on; collects the refuted cubes. */
static int walk_tree(struct tree *t, int depth)
{
    int truth = rules_truth(t->r, t->rule, t->r->row);
    if (truth == 1)
        return 0;
    if (truth == 0) {
        vec_push(&t->found, (int)t->clause.count);
        for (size_t i = 0; i < t->clause.count; i++)
            vec_push(&t->found, t->clause.items[i]);
        return 0;
    }
    int p = t->rule->params[depth], bad = 0;
    for (int v = 0; v < t->r->m->params.items[p].count && !bad; v++) {
        if (++t->nodes > MAX_TREE_NODES)
            return -1;
        t->r->row[p] = (int16_t)v;
        vec_push(&t->clause, value_lit(t->r, p, v, 1));
        bad = walk_tree(t, depth + 1);
        t->clause.count--;
        t->r->row[p] = PAIRS_NONE;
    }
    return bad;
}

static int add_tree(struct rules *r, const struct rule *rule, struct sat *sat)
{
    struct tree t = {.r = r, .rule = rule, .sat = sat};
    int bad = walk_tree(&t, 0);
    for (size_t i = 0; !bad && i < t.found.count; i += (size_t)t.found.items[i] + 1)
        sat_add_clause(sat, &t.found.items[i + 1], t.found.items[i]);
    for (int k = 0; k < rule->param_count; k++)
        r->row[rule->params[k]] = PAIRS_NONE;
    vec_free(&t.clause);
    vec_free(&t.found);
    return bad;
}

static int add_direct(struct rules *r, const struct rule *rule, struct sat *sat)
{
    VEC(sat_lit) lits = {0};
    for (int i = 0; i < rule->count; i++) {
        const struct atom *a = &rule->atoms[i];
        if (a->e->kind != EXPR_IN) {
            vec_free(&lits);
            return -1;
        }
        for (int v = 0; v < r->m->params.items[a->e->param].count; v++)
            if (a->e->set[v] != a->negated)
                vec_push(&lits, value_lit(r, a->e->param, v, 0));
    }
    sat_add_clause(sat, lits.items, (int)lits.count);
    vec_free(&lits);
    return 0;
}

/* The theory of the lazy rules: refutes an assignment with the values that suffice for it. */
static int refute(void *context, const struct sat *sat, sat_lit *out)
{
    struct component *k = context;
    struct rules *r = k->owner;
    int n = 0;
    for (int i = 0; i < k->count; i++) {
        int p = k->params[i];
        r->row[p] = PAIRS_NONE;
        for (int v = 0; v < r->m->params.items[p].count; v++)
            if (sat_value(sat, k->first_var[i] + v) == 1)
                r->row[p] = (int16_t)v;
    }
    for (int i = 0; i < k->rule_count && n == 0; i++) {
        const struct rule *rule = &r->rules.items[k->rules[i]];
        if (rules_truth(r, rule, r->row) != 0)
            continue;
        for (int j = 0; j < rule->param_count; j++) {
            int p = rule->params[j], v = r->row[p];
            r->row[p] = PAIRS_NONE;
            if (v >= 0 && rules_truth(r, rule, r->row) != 0) {
                r->row[p] = (int16_t)v;
                out[n++] = value_lit(r, p, v, 1);
            }
        }
    }
    for (int i = 0; i < k->count; i++)
        r->row[k->params[i]] = PAIRS_NONE;
    return n;
}

static void add_rules(struct rules *r)
{
    for (size_t i = 0; i < r->rules.count; i++) {
        struct rule *rule = &r->rules.items[i];
        if (rule->param_count == 0) { /* a constant: it must be true */
            if (rules_truth(r, rule, r->row) == 0)
                for (int c = 0; c < r->component_count; c++)
                    r->components[c].broken = 1;
            continue;
        }
        struct component *k = &r->components[r->component_of[rule->params[0]]];
        if (add_direct(r, rule, k->sat) == 0 || add_tree(r, rule, k->sat) == 0)
            continue;
        rule->lazy = 1;
        k->rules[k->rule_count++] = (int)i;
        sat_set_theory(k->sat, refute, k);
    }
}

static void index_rules(struct rules *r)
{
    r->touching = mem_alloc(sizeof *r->touching * (size_t)(r->n + 1));
    r->touching_count = mem_alloc(sizeof(int) * (size_t)(r->n + 1));
    for (size_t i = 0; i < r->rules.count; i++)
        for (int k = 0; k < r->rules.items[i].param_count; k++)
            r->touching_count[r->rules.items[i].params[k]]++;
    for (int p = 0; p < r->n; p++) {
        r->touching[p] = mem_alloc(sizeof(int) * (size_t)(r->touching_count[p] + 1));
        r->touching_count[p] = 0;
    }
    for (size_t i = 0; i < r->rules.count; i++)
        for (int k = 0; k < r->rules.items[i].param_count; k++) {
            int p = r->rules.items[i].params[k];
            r->touching[p][r->touching_count[p]++] = (int)i;
        }
}

static void make_solvers(struct rules *r)
{
    for (int c = 0; c < r->component_count; c++) {
        struct component *k = &r->components[c];
        size_t vars = 0;
        k->sat = sat_new();
        for (int i = 0; i < k->count; i++) {
            add_domain(r, k, k->params[i]);
            vars = (size_t)(k->first_var[i] + r->m->params.items[k->params[i]].count);
        }
        k->pool = mem_alloc(sizeof *k->pool * (vars + 1));
        k->models = mem_alloc(sizeof *k->models * POOL * (size_t)k->count);
        memset(k->models, 0xff, sizeof *k->models * POOL * (size_t)k->count);
    }
    add_rules(r);
    if (r->mode == RULES_NEGATIVE)
        add_one_negative(r);
}

struct rules *rules_new(const struct pairs_model *m, enum rules_mode mode)
{
    struct rules *r = mem_alloc(sizeof *r);
    r->m = m;
    r->mode = mode;
    r->n = (int)m->params.count;
    size_t n = m->params.count + 1;
    r->component_of = mem_alloc(sizeof(int) * n);
    r->place = mem_alloc(sizeof(int) * n);
    r->row = mem_alloc(sizeof *r->row * n);
    r->assumptions = mem_alloc(sizeof *r->assumptions * n);
    memset(r->row, 0xff, sizeof *r->row * n);
    for (size_t i = 0; i < m->constraints.count; i++) {
        struct cnf c = cnf_of(m->constraints.items[i].expr, 0);
        for (size_t k = 0; k < c.count; k++)
            add_rule(r, &c.items[k]);
        vec_free(&c);
    }
    make_components(r);
    make_solvers(r);
    index_rules(r);
    return r;
}

void rules_free(struct rules *r)
{
    if (!r)
        return;
    for (int c = 0; c < r->component_count; c++) {
        struct component *k = &r->components[c];
        free(k->params);
        free(k->first_var);
        free(k->rules);
        free(k->pool);
        free(k->models);
        sat_free(k->sat);
    }
    for (size_t i = 0; i < r->rules.count; i++) {
        free(r->rules.items[i].atoms);
        free(r->rules.items[i].params);
    }
    for (int p = 0; p < r->n; p++)
        free(r->touching[p]);
    vec_free(&r->rules);
    free(r->touching);
    free(r->touching_count);
    free(r->components);
    free(r->component_of);
    free(r->place);
    free(r->row);
    free(r->assumptions);
    free(r);
}
