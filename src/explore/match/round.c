/* Strongly connected components (Tarjan), and in each that is not fair as a whole those of what is left
 * without the states in which somebody could go on who never does (Emerson and Lei, "Modalities for model
 * checking: branching time strikes back"; strong fairness of threads). */
#include "explore/match/round.h"

#include "base/ensure.h"

#include <string.h>

enum { MOST_ROUND = 1 << 14 };

struct round_set {
    uint32_t start, count;
};

/* Sets of states are spans of `sets`; their components are put at the same place of `components`. */
struct round_search {
    struct match_walk *w;
    const struct match_states *s;
    uint32_t *sets, *components;    /* [count] */
    uint32_t *part;                 /* [count]: number of the set or component that a state is in; 0: none */
    uint32_t *low, *number, *stack, *path, *edge; /* [count]: Tarjan's */
    struct round_set *todo;              /* [todo_count] */
    uint32_t stack_count, numbers, parts, put, todo_count;
    struct match_round *out;
};

static uint32_t edges_end(const struct match_states *s, uint32_t state)
{
    return state + 1 < s->count ? s->found[state + 1].edges : s->edge_count;
}

#define EDGES_FOR(e, s, state)                                                                              \
    for (const struct match_edge *e = &(s)->edges[(s)->found[state].edges],                               \
                                 *e##_end = &(s)->edges[edges_end(s, state)];                              \
         e < e##_end; e++)

/* ---- one component ------------------------------------------------------------------------------------ */

struct round_part {
    const uint32_t *states;
    uint32_t count, part;
    struct tset steps;   /* threads that take steps inside of it */
    struct tset enabled; /* threads that can go on in some state of it */
    bool changes;        /* objects, not only where threads are */
    bool shared;         /* steps are on something that threads share */
    bool chooses;        /* something is chosen on the way, so that it may be left */
};

static struct round_part look_at(const struct round_search *x, const uint32_t *states, uint32_t count,
                                 uint32_t part)
{
    struct round_part c = {.states = states, .count = count, .part = part};
    for (uint32_t i = 0; i < count; i++) {
        c.changes |= x->s->found[states[i]].places != x->s->found[states[0]].places;
        EDGES_FOR(e, x->s, states[i]) {
            tset_add(&c.enabled, e->thread);
            c.chooses |= e->branch != 0;
            if (x->part[e->to] != part)
                continue;
            tset_add(&c.steps, e->thread);
            c.shared |= !e->own;
        }
    }
    return c;
}

static bool is_within(const struct tset *a, const struct tset *b)
{
    TSET_FOR(t, a)
        if (!tset_has(b, t))
            return false;
    return true;
}

static bool goes_on_without_steps(const struct match_states *s, uint32_t state, const struct tset *steps)
{
    EDGES_FOR(e, s, state)
        if (!tset_has(steps, e->thread))
            return true;
    return false;
}

/* ---- the way round ------------------------------------------------------------------------------------ */

static bool add_step(struct match_round *r, const struct match_edge *e)
{
    if (r->count == MOST_ROUND)
        return false;
    r->steps[r->count++] = *e;
    return true;
}

/* Breadth first inside of the component, from `from` until a step of the thread can be taken (thread < 0: to
 * the state `to`), and that step. Gives the state it leads to; UINT32_MAX: none. */
static uint32_t go_to(struct round_search *x, const struct round_part *c, uint32_t from, int thread,
                      uint32_t to)
{
    uint32_t head = 0, tail = 0, length = 0, at = UINT32_MAX;
    const struct match_edge *last = NULL;
    for (uint32_t i = 0; i < c->count; i++)
        x->number[c->states[i]] = UINT32_MAX; /* the edge it was found by */
    x->path[tail++] = from;
    x->number[from] = UINT32_MAX - 1;
    if (thread < 0 && from == to && x->out->count)
        return to;
    while (head < tail && at == UINT32_MAX) {
        uint32_t state = x->path[head++];
        EDGES_FOR(e, x->s, state) {
            if (x->part[e->to] != c->part)
                continue;
            if (thread < 0 ? e->to == to : e->thread == thread) {
                last = e;
                at = state;
                break;
            }
            if (x->number[e->to] == UINT32_MAX) {
                x->number[e->to] = (uint32_t)(e - x->s->edges);
                x->low[e->to] = state;
                x->path[tail++] = e->to;
            }
        }
    }
    if (at == UINT32_MAX)
        return at;
    for (uint32_t state = at; state != from; state = x->low[state])
        x->stack[length++] = x->number[state];
    while (length--)
        if (!add_step(x->out, &x->s->edges[x->stack[length]]))
            return UINT32_MAX;
    return add_step(x->out, last) ? last->to : UINT32_MAX;
}

/* Every thread that takes steps takes one. */
static bool make_round(struct round_search *x, const struct round_part *c)
{
    uint32_t at = x->out->start = c->states[0];
    ensure(c->count && !tset_empty(&c->steps));
    for (uint32_t i = 1; i < c->count; i++) /* the one that is reached first */
        if (c->states[i] < at)
            at = x->out->start = c->states[i];
    x->out->count = 0;
    TSET_FOR(t, &c->steps) {
        at = go_to(x, c, at, t, 0);
        if (at == UINT32_MAX)
            return false;
    }
    return go_to(x, c, at, -1, x->out->start) != UINT32_MAX;
}

/* ---- components --------------------------------------------------------------------------------------- */

/* The component whose root this is leaves the stack. */
static void leave(struct round_search *x, uint32_t root)
{
    uint32_t state, part = ++x->parts;
    do {
        state = x->stack[--x->stack_count];
        x->part[state] = part;
        x->components[x->put++] = state;
    } while (state != root);
}

static void enter(struct round_search *x, uint32_t state, uint32_t *depth)
{
    ensure(x->stack_count < x->s->count && *depth < x->s->count);
    x->number[state] = x->low[state] = ++x->numbers;
    x->stack[x->stack_count++] = state;
    x->edge[state] = x->s->found[state].edges;
    x->path[(*depth)++] = state;
}

/* From one state of a set, whose number is `set`: everything in it that can be reached. */
static void reach(struct round_search *x, uint32_t first, uint32_t set)
{
    uint32_t depth = 0;
    enter(x, first, &depth);
    while (depth) {
        uint32_t state = x->path[depth - 1];
        if (x->edge[state] < edges_end(x->s, state)) {
            uint32_t to = x->s->edges[x->edge[state]++].to;
            if (x->part[to] != set)
                continue;
            if (!x->number[to])
                enter(x, to, &depth);
            else if (x->number[to] < x->low[state])
                x->low[state] = x->number[to];
            continue;
        }
        depth--;
        if (depth && x->low[state] < x->low[x->path[depth - 1]])
            x->low[x->path[depth - 1]] = x->low[state];
        if (x->low[state] == x->number[state])
            leave(x, state);
    }
}

/* Is there a livelock in the component? If it is not fair, what is left of it is to be looked at. */
static bool judge(struct round_search *x, uint32_t start, uint32_t count)
{
    uint32_t *states = &x->components[start], kept = 0;
    ensure(count && start + count <= x->s->count);
    struct round_part c = look_at(x, states, count, x->part[states[0]]);
    if (tset_empty(&c.steps))
        return false;
    if (is_within(&c.enabled, &c.steps)) {
        bool no_progress = !c.changes || is_within(&c.steps, &x->w->ended);
        bool certain = c.shared || !c.chooses;
        x->w->goes_alone |= no_progress && !certain;
        if (!no_progress)
            TSET_FOR(t, &c.steps)
                tset_add(&x->w->endless, t);
        return no_progress && certain && match_walk_new_round(x->w, &c.steps) && make_round(x, &c);
    }
    uint32_t left = ++x->parts;
    for (uint32_t i = 0; i < count; i++) {
        bool stays = !goes_on_without_steps(x->s, states[i], &c.steps);
        x->part[states[i]] = stays ? left : 0;
        if (stays)
            x->sets[start + kept++] = states[i];
    }
    if (kept)
        x->todo[x->todo_count++] = (struct round_set){start, kept};
    return false;
}

static bool look_in(struct round_search *x, struct round_set set)
{
    uint32_t *states = &x->sets[set.start], part = x->part[states[0]];
    for (uint32_t i = 0; i < set.count; i++)
        x->number[states[i]] = 0;
    x->numbers = x->stack_count = 0;
    x->put = set.start;
    for (uint32_t i = 0; i < set.count; i++)
        if (!x->number[states[i]])
            reach(x, states[i], part);
    ensure(x->put == set.start + set.count);
    for (uint32_t at = set.start, next; at < set.start + set.count; at = next) {
        for (next = at; next < set.start + set.count; next++)
            if (x->part[x->components[next]] != x->part[x->components[at]])
                break;
        if (judge(x, at, next - at))
            return true;
    }
    return false;
}

bool match_round_next(struct match_walk *w, struct match_round *out)
{
    struct match_model *m = w->model;
    uint32_t n = w->states.count;
    if (!out->steps)
        out->steps = arena_alloc(m->arena, MOST_ROUND * sizeof *out->steps);
    size_t before = m->arena->used;
    struct round_search x = {.w = w, .s = &w->states, .out = out, .parts = 1};
    uint32_t *arrays = match_need_apart(m, 8ull * n * sizeof *arrays);
    bool found = false;
    x.todo = match_need_apart(m, n * sizeof *x.todo);
    if (!arrays || !x.todo || !out->steps)
        return false;
    x.sets = arrays;
    x.components = arrays + n;
    x.part = arrays + 2ull * n;
    x.low = arrays + 3ull * n;
    x.number = arrays + 4ull * n;
    x.stack = arrays + 5ull * n;
    x.path = arrays + 6ull * n;
    x.edge = arrays + 7ull * n;
    for (uint32_t i = 0; i < n; i++) {
        x.sets[i] = i;
        x.part[i] = 1;
    }
    x.todo[x.todo_count++] = (struct round_set){0, n};
    while (!found && x.todo_count)
        found = look_in(&x, x.todo[--x.todo_count]);
    arena_give_back(m->arena, before);
    m->arena->used = before;
    return found;
}
