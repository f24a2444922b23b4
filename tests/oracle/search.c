/* search.c — explicit-state search, breadth first, every state kept whole and compared byte by
 * byte. There is no notion of independence here. */
#include "search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "state.h"

struct search {
    const struct program *program;
    struct state *state;
    int states, room, max_states;
    int *table;
    unsigned mask;
    struct graph graph;
    int current;
    bool free;
    struct verdict *verdict;
};

static uint64_t hash(const struct state *s)
{
    uint64_t h = 0x9e3779b97f4a7c15, word;
    for (size_t i = 0; i + 8 <= sizeof *s; i += 8) {
        memcpy(&word, (const char *)s + i, 8);
        h = (h ^ word) * 0xff51afd7ed558ccd;
        h ^= h >> 32;
    }
    return h;
}
_Static_assert(sizeof(struct state) % 8 == 0, "the hash takes whole words");

/* The number of a state, new or not. */
static int number_of(struct search *q, const struct state *s)
{
    unsigned at = hash(s) & q->mask;
    for (; q->table[at] >= 0; at = (at + 1) & q->mask)
        if (!memcmp(&q->state[q->table[at]], s, sizeof *s))
            return q->table[at];
    if (q->states == q->room) {
        q->room *= 2;
        q->state = realloc(q->state, q->room * sizeof *q->state);
        assert(q->state);
    }
    q->state[q->states] = *s;
    q->table[at] = q->states;
    return q->states++;
}

static void found(void *who, const struct state *next, int thread)
{
    struct search *q = who;
    if (q->states < q->max_states)
        graph_edge(&q->graph, number_of(q, next), thread);
    else
        q->verdict->too_large = true;
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *put_number(char *at, int64_t value)
{
    return at + (value == UNSET ? sprintf(at, " .") : sprintf(at, " %ld", (long)value));
}

static char *describe(const struct program *p, const struct state *s)
{
    char line[2048], *at = line;
    uint8_t observed[THREADS * REGISTERS];
    int count = program_observed(p, s->exiting, observed);
    if (s->exiting >= 0)
        at += sprintf(at, "exit %d", s->exiting);
    for (int i = 0; i < count; i++) {
        int64_t value = s->thread[observed[i] / REGISTERS].reg[observed[i] % REGISTERS];
        at = put_number(at, value);
    }
    for (int i = 0; !(p->flags & FLAG_KILL) && i < MEMORY; i += 8) {
        int64_t word;
        memcpy(&word, s->memory + i, 8);
        at = put_number(at, word);
    }
    return strdup(line);
}

static void keep_outcome(struct search *q, const struct state *s)
{
    struct verdict *v = q->verdict;
    v->outcome = realloc(v->outcome, (v->outcomes + 1) * sizeof *v->outcome);
    assert(v->outcome);
    v->outcome[v->outcomes++] = describe(q->program, s);
}

static void sort_outcomes(struct verdict *v)
{
    int kept = 0;
    qsort(v->outcome, v->outcomes, sizeof *v->outcome, text_order);
    for (int i = 0; i < v->outcomes; i++) {
        if (kept && !strcmp(v->outcome[kept - 1], v->outcome[i]))
            free(v->outcome[i]);
        else
            v->outcome[kept++] = v->outcome[i];
    }
    v->outcomes = kept;
}

static void expand(struct search *q)
{
    struct state from = q->state[q->current]; /* the array may move */
    struct moves m = {q->program, &from, found, q, q->program->flags & FLAG_SPURIOUS, q->free};
    int before = q->graph.edges;
    graph_node(&q->graph);
    if (from.undefined) {
        q->verdict->undefined = true;
    } else if (from.ended) {
        keep_outcome(q, &from);
    } else {
        for (int t = 0; t < THREADS; t++)
            thread_moves(&m, t);
        if (q->graph.edges == before && !q->verdict->too_large)
            q->verdict->deadlock = true;
    }
}

void search(const struct program *p, int max_states, bool free_choice, struct verdict *v)
{
    struct search q = {
        .program = p, .room = 1024, .max_states = max_states, .free = free_choice, .verdict = v};
    unsigned size = 1024;
    while (size < 2u * max_states)
        size *= 2;
    q.mask = size - 1;
    q.table = malloc(size * sizeof *q.table);
    q.state = malloc(q.room * sizeof *q.state);
    assert(q.table && q.state);
    memset(q.table, -1, size * sizeof *q.table);
    memset(v, 0, sizeof *v);
    struct state start;
    state_start(p, &start);
    number_of(&q, &start);
    for (; q.current < q.states && !v->too_large && !v->undefined; q.current++)
        expand(&q);
    v->states = q.states;
    sort_outcomes(v);
    if (!v->too_large && !v->undefined)
        graph_judge(&q.graph, v);
    graph_free(&q.graph);
    free(q.table);
    free(q.state);
}

void verdict_free(struct verdict *v)
{
    for (int i = 0; i < v->outcomes; i++)
        free(v->outcome[i]);
    free(v->outcome);
}
