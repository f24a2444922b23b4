/* CDCL as in MiniSat (Eén, Sörensson 2003). Clauses live in one array of ints: length, then
 * literals, the first two of which are watched. Learnt clauses are kept: the formulas here have at
 * most a few thousand variables, and what is learnt in one question serves the thousands of
 * similar questions that follow. After a model is found its values stay readable until the next
 * call; each call starts by undoing the one before. */
#include "pairs/sat.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct watchers {
    int *items;
    size_t count, room;
};

struct sat {
    int vars;
    size_t var_room;
    signed char *value; /* per literal: 1 true, 0 false, -1 open */
    signed char *phase;
    int *level, *reason; /* per var; reason: offset of a clause or -1 */
    double *activity;
    int *heap, *heap_at, heap_count; /* max-heap of vars by activity */
    unsigned char *seen;
    struct watchers *watch; /* per literal: clauses in which it is watched */
    VEC(int) db;
    VEC(sat_lit) trail;
    VEC(int) limits; /* trail length at each decision */
    size_t head;
    double bump;
    int broken; /* a contradiction without assumptions */
    sat_theory *theory;
    void *context;
    sat_lit *scratch;
    VEC(sat_lit) learnt;
};

struct sat *sat_new(void)
{
    struct sat *s = mem_alloc(sizeof *s);
    s->bump = 1;
    return s;
}

void sat_free(struct sat *s)
{
    if (!s)
        return;
    for (int i = 0; i < 2 * s->vars; i++)
        free(s->watch[i].items);
    free(s->value);
    free(s->phase);
    free(s->level);
    free(s->reason);
    free(s->activity);
    free(s->heap);
    free(s->heap_at);
    free(s->seen);
    free(s->watch);
    free(s->scratch);
    vec_free(&s->db);
    vec_free(&s->trail);
    vec_free(&s->limits);
    vec_free(&s->learnt);
    free(s);
}

/* ---- the heap of open variables ---- */

static int before(const struct sat *s, int a, int b)
{
    return s->activity[a] > s->activity[b] || (s->activity[a] == s->activity[b] && a < b);
}

static void heap_put(struct sat *s, int at, int var)
{
    s->heap[at] = var;
    s->heap_at[var] = at;
}

static void heap_up(struct sat *s, int at)
{
    int var = s->heap[at];
    for (; at > 0 && before(s, var, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap_put(s, at, s->heap[(at - 1) / 2]);
    heap_put(s, at, var);
}

static void heap_down(struct sat *s, int at)
{
    int var = s->heap[at];
    for (int child; (child = 2 * at + 1) < s->heap_count; at = child) {
        if (child + 1 < s->heap_count && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], var))
            break;
        heap_put(s, at, s->heap[child]);
    }
    heap_put(s, at, var);
}

static void heap_insert(struct sat *s, int var)
{
    if (s->heap_at[var] >= 0)
        return;
    heap_put(s, s->heap_count++, var);
    heap_up(s, s->heap_count - 1);
}

static int heap_pop(struct sat *s)
{
    int var = s->heap[0];
    s->heap_at[var] = -1;
    if (--s->heap_count > 0) {
        heap_put(s, 0, s->heap[s->heap_count]);
        heap_down(s, 0);
    }
    return var;
}

/* ---- variables, clauses ---- */

#define GROW(p, n) ((p) = mem_realloc((p), sizeof *(p) * (n)))

int sat_add_var(struct sat *s)
{
    if ((size_t)s->vars == s->var_room) {
        size_t n = s->var_room = s->var_room ? 2 * s->var_room : 16;
        GROW(s->value, 2 * n);
        GROW(s->phase, n);
        GROW(s->level, n);
        GROW(s->reason, n);
        GROW(s->activity, n);
        GROW(s->heap, n);
        GROW(s->heap_at, n);
        GROW(s->seen, n);
        GROW(s->watch, 2 * n);
        GROW(s->scratch, n);
    }
    int v = s->vars++;
    s->value[2 * v] = s->value[2 * v + 1] = -1;
    s->phase[v] = 0;
    s->activity[v] = 0;
    s->seen[v] = 0;
    s->heap_at[v] = -1;
    s->watch[2 * v] = s->watch[2 * v + 1] = (struct watchers){0};
    heap_insert(s, v);
    return v;
}

void sat_set_theory(struct sat *s, sat_theory *theory, void *context)
{
    s->theory = theory;
    s->context = context;
}

void sat_prefer(struct sat *s, int var, int value)
{
    s->phase[var] = (signed char)value;
}

int sat_value(const struct sat *s, int var)
{
    return s->value[2 * var];
}

static int current_level(const struct sat *s)
{
    return (int)s->limits.count;
}

static void assign(struct sat *s, sat_lit lit, int reason)
{
    int var = lit / 2;
    s->value[lit] = 1;
    s->value[SAT_NOT(lit)] = 0;
    s->level[var] = current_level(s);
    s->reason[var] = reason;
    vec_push(&s->trail, lit);
}

static void undo(struct sat *s, int level)
{
    if (current_level(s) <= level)
        return;
    size_t keep = (size_t)s->limits.items[level];
    for (size_t i = s->trail.count; i-- > keep;) {
        sat_lit lit = s->trail.items[i];
        s->phase[lit / 2] = (signed char)!(lit & 1);
        s->value[lit] = s->value[SAT_NOT(lit)] = -1;
        heap_insert(s, lit / 2);
    }
    s->trail.count = s->head = keep;
    s->limits.count = (size_t)level;
}

static int attach(struct sat *s, const sat_lit *lits, int count)
{
    int at = (int)s->db.count;
    vec_push(&s->db, count);
    for (int i = 0; i < count; i++)
        vec_push(&s->db, lits[i]);
    vec_push(&s->watch[lits[0]], at);
    vec_push(&s->watch[lits[1]], at);
    return at;
}

void sat_add_clause(struct sat *s, const sat_lit *lits, int count)
{
    undo(s, 0);
    sat_lit *kept = mem_alloc(sizeof *kept * (size_t)(count + 1));
    int n = 0, satisfied = 0;
    for (int i = 0; i < count; i++) {
        int duplicate = 0;
        for (int k = 0; k < n; k++) {
            duplicate |= kept[k] == lits[i];
            satisfied |= kept[k] == SAT_NOT(lits[i]);
        }
        satisfied |= s->value[lits[i]] == 1;
        if (!duplicate && s->value[lits[i]] != 0)
            kept[n++] = lits[i];
    }
    if (!satisfied && n == 0)
        s->broken = 1;
    else if (!satisfied && n == 1)
        assign(s, kept[0], -1);
    else if (!satisfied)
        attach(s, kept, n);
    free(kept);
}

/* ---- propagation ---- */

/* Finds another literal to watch instead of clause[1] (which is false); 1 if it did. */
static int rewatch(struct sat *s, int at)
{
    int n = s->db.items[at];
    sat_lit *c = &s->db.items[at + 1];
    for (int k = 2; k < n; k++)
        if (s->value[c[k]] != 0) {
            sat_lit t = c[1];
            c[1] = c[k];
            c[k] = t;
            vec_push(&s->watch[c[1]], at);
            return 1;
        }
    return 0;
}

/* Returns the offset of a clause that is false, or -1. */
static int propagate(struct sat *s)
{
    while (s->head < s->trail.count) {
        sat_lit no = SAT_NOT(s->trail.items[s->head++]);
        struct watchers *w = &s->watch[no];
        size_t kept = 0, i = 0;
        int conflict = -1;
        for (; i < w->count && conflict < 0; i++) {
            int at = w->items[i];
            sat_lit *c = &s->db.items[at + 1];
            if (c[0] == no) {
                c[0] = c[1];
                c[1] = no;
            }
            if (s->value[c[0]] == 1) {
                w->items[kept++] = at;
                continue;
            }
            if (rewatch(s, at))
                continue;
            w->items[kept++] = at;
            if (s->value[c[0]] == 0)
                conflict = at;
            else
                assign(s, c[0], at);
        }
        while (i < w->count)
            w->items[kept++] = w->items[i++];
        w->count = kept;
        if (conflict >= 0)
            return conflict;
    }
    return -1;
}

/* ---- learning ---- */

static void bump(struct sat *s, int var)
{
    if ((s->activity[var] += s->bump) > 1e100) {
        for (int i = 0; i < s->vars; i++)
            s->activity[i] *= 1e-100;
        s->bump *= 1e-100;
    }
    if (s->heap_at[var] >= 0)
        heap_up(s, s->heap_at[var]);
}

/* First unique implication point of the conflict; fills s->learnt, returns the level to go to. */
static int analyze(struct sat *s, int conflict)
{
    int open = 0, back = 0;
    size_t index = s->trail.count;
    sat_lit uip = -1;
    s->learnt.count = 0;
    vec_push(&s->learnt, 0);
    do {
        int n = s->db.items[conflict];
        for (int k = 0; k < n; k++) {
            sat_lit lit = s->db.items[conflict + 1 + k];
            int var = lit / 2;
            if (lit == uip || s->seen[var] || s->level[var] == 0)
                continue;
            s->seen[var] = 1;
            bump(s, var);
            if (s->level[var] == current_level(s)) {
                open++;
            } else {
                vec_push(&s->learnt, lit);
                back = s->level[var] > back ? s->level[var] : back;
            }
        }
        while (!s->seen[s->trail.items[--index] / 2])
            ;
        uip = s->trail.items[index];
        s->seen[uip / 2] = 0;
        conflict = s->reason[uip / 2];
    } while (--open > 0);
    s->learnt.items[0] = SAT_NOT(uip);
    for (size_t i = 1; i < s->learnt.count; i++)
        s->seen[s->learnt.items[i] / 2] = 0;
    return back;
}

static void learn(struct sat *s, int back)
{
    undo(s, back);
    sat_lit *c = s->learnt.items;
    int n = (int)s->learnt.count;
    if (n == 1) {
        assign(s, c[0], -1);
        return;
    }
    for (int k = 1; k < n; k++)
        if (s->level[c[k] / 2] == back) {
            sat_lit t = c[1];
            c[1] = c[k];
            c[k] = t;
            break;
        }
    assign(s, c[0], attach(s, c, n));
}

/* A clause of the theory becomes a conflict at the level of its latest literal. Returns the
 * clause's offset, or -1 if it contradicts everything or became a unit. */
static int theory_conflict(struct sat *s, int n)
{
    sat_lit *c = s->scratch;
    int top = 0, second = 0, at_top = 0;
    for (int k = 0; k < n; k++) {
        int level = s->level[c[k] / 2];
        if (level > top) {
            second = top;
            top = level;
        } else if (level < top && level > second) {
            second = level;
        }
    }
    for (int k = 0; k < n; k++)
        at_top += s->level[c[k] / 2] == top;
    if (top == 0) {
        s->broken = 1;
        return -1;
    }
    if (n == 1) {
        undo(s, 0);
        assign(s, c[0], -1);
        return -1;
    }
    undo(s, top);
    for (int k = 0, first = 0; k < n && first < 2; k++)
        if (s->level[c[k] / 2] == top) {
            sat_lit t = c[first];
            c[first++] = c[k];
            c[k] = t;
        }
    if (at_top == 1)
        for (int k = 1; k < n; k++)
            if (s->level[c[k] / 2] == second) {
                sat_lit t = c[1];
                c[1] = c[k];
                c[k] = t;
                break;
            }
    int at = attach(s, c, n);
    if (at_top > 1)
        return at;
    undo(s, second);
    assign(s, c[0], at);
    return -1;
}

/* ---- search ---- */

static int decide(struct sat *s)
{
    while (s->heap_count > 0) {
        int var = heap_pop(s);
        if (s->value[2 * var] < 0)
            return SAT_LIT(var, !s->phase[var]);
    }
    return -1;
}

static void new_level(struct sat *s, sat_lit lit)
{
    vec_push(&s->limits, (int)s->trail.count);
    assign(s, lit, -1);
}

/* Handles what propagation or the theory found: 0 nothing, 1 go on, -1 contradiction. */
static int handle_conflict(struct sat *s)
{
    int conflict = propagate(s);
    if (conflict < 0 && s->theory) {
        int n = s->theory(s->context, s, s->scratch);
        if (n == 0)
            return 0;
        conflict = theory_conflict(s, n);
        if (conflict < 0)
            return s->broken ? -1 : 1;
    }
    if (conflict < 0)
        return 0;
    if (current_level(s) == 0) {
        s->broken = 1;
        return -1;
    }
    learn(s, analyze(s, conflict));
    s->bump *= 1.05;
    return 1;
}

int sat_solve(struct sat *s, const sat_lit *assumptions, int count)
{
    undo(s, 0);
    long conflicts = 0, limit = 100;
    while (!s->broken) {
        int found = handle_conflict(s);
        if (found < 0)
            return 0;
        if (found > 0) {
            if (++conflicts >= limit) {
                limit += limit / 2;
                conflicts = 0;
                undo(s, 0);
            }
            continue;
        }
        int level = current_level(s);
        sat_lit next = -1;
        while (level < count) {
            sat_lit a = assumptions[level];
            if (s->value[a] == 0)
                return 0;
            next = a;
            if (s->value[a] < 0)
                break;
            vec_push(&s->limits, (int)s->trail.count);
            level = current_level(s);
            next = -1;
        }
        if (next < 0 && (next = decide(s)) < 0)
            return 1;
        new_level(s, next);
    }
    return 0;
}
