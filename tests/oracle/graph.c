/* graph.c — strongly connected components (Tarjan), with an explicit stack; paths are counted on
 * the way. */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "search.h"

void graph_node(struct graph *g)
{
    if (g->nodes + 1 >= g->node_room) {
        g->node_room = g->node_room ? 2 * g->node_room : 1024;
        g->first = realloc(g->first, g->node_room * sizeof *g->first);
        assert(g->first);
    }
    g->first[g->nodes++] = g->edges;
    g->first[g->nodes] = g->edges;
}

void graph_edge(struct graph *g, int to, int thread)
{
    if (g->edges == g->edge_room) {
        g->edge_room = g->edge_room ? 2 * g->edge_room : 4096;
        g->edge = realloc(g->edge, g->edge_room * sizeof *g->edge);
        assert(g->edge);
    }
    g->edge[g->edges++] = (struct edge){to, thread};
    g->first[g->nodes] = g->edges;
}

void graph_free(struct graph *g)
{
    free(g->edge);
    free(g->first);
}

struct walk {
    struct graph *g;
    int *index, *low, *part, *stack, *path, *next;
    double *paths;
    int count, height, depth;
};

static void enter(struct walk *w, int node)
{
    w->index[node] = w->low[node] = ++w->count;
    w->stack[w->height++] = node;
    w->path[w->depth++] = node;
    w->next[node] = w->g->first[node];
    w->paths[node] = w->g->first[node] == w->g->first[node + 1];
}

/* In a component that can be left and one that cannot: is there a cycle that is fair? Every thread
 * makes a step in it, or cannot make one somewhere in it. */
static void judge_part(struct walk *w, int from, struct verdict *v)
{
    const struct graph *g = w->g;
    unsigned inside = 0, always = ~0u;
    bool cycle = false, left = false;
    for (int k = from; k < w->height; k++) {
        unsigned can = 0;
        int node = w->stack[k];
        for (int e = g->first[node]; e < g->first[node + 1]; e++) {
            can |= 1u << g->edge[e].thread;
            if (w->part[g->edge[e].to] < 0) {
                inside |= 1u << g->edge[e].thread;
                cycle = true;
            } else {
                left = true;
            }
        }
        always &= can;
    }
    if (cycle && !left)
        v->livelock_sure = true;
    if (cycle && !(always & ~inside))
        v->livelock_possible = true;
}

/* What is on the stack has part == -1; so have only the members of the component that is being
 * closed, as far as its edges can tell. */
static void leave(struct walk *w, int node, struct verdict *v)
{
    w->depth--;
    if (w->low[node] == w->index[node]) {
        int from = w->height;
        while (w->stack[from - 1] != node)
            from--;
        judge_part(w, from - 1, v);
        for (int k = from - 1; k < w->height; k++)
            w->part[w->stack[k]] = w->g->nodes;
        w->height = from - 1;
    }
    if (w->depth) {
        int above = w->path[w->depth - 1];
        if (w->low[node] < w->low[above])
            w->low[above] = w->low[node];
        w->paths[above] += w->paths[node];
    }
}

static void visit(struct walk *w, int node, struct verdict *v)
{
    if (w->next[node] == w->g->first[node + 1]) {
        leave(w, node, v);
        return;
    }
    int to = w->g->edge[w->next[node]++].to;
    if (!w->index[to])
        enter(w, to);
    else if (w->part[to] < 0 && w->index[to] < w->low[node])
        w->low[node] = w->index[to];
    else if (w->part[to] >= 0)
        w->paths[node] += w->paths[to];
}

void graph_judge(struct graph *g, struct verdict *v)
{
    struct walk w = {.g = g};
    int **arrays[] = {&w.index, &w.low, &w.part, &w.stack, &w.path, &w.next};
    for (int i = 0; i < 6; i++) {
        *arrays[i] = calloc(g->nodes, sizeof(int));
        assert(*arrays[i]);
    }
    w.paths = calloc(g->nodes, sizeof *w.paths);
    assert(w.paths);
    memset(w.part, -1, g->nodes * sizeof(int));
    enter(&w, 0);
    while (w.depth)
        visit(&w, w.path[w.depth - 1], v);
    v->paths = w.paths[0];
    for (int i = 0; i < 6; i++)
        free(*arrays[i]);
    free(w.paths);
}
