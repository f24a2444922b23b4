/* Writes the graph of a finished search: .dot (Graphviz), .aut (Aldebaran, as CADP and mCRL2 read
 * it), .json. Edges are found by expanding every state again. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "base/mem.h"
#include "base/sbuf.h"
#include "model/search.h"

int graph_write(struct model_search *se, const char *file, struct error *e);

/* A graph in memory, to be drawn: states in the order of their discovery, the first is the initial one. */
struct graph_state {
    char *text;
    int deadlock, final;
};
struct graph_edge {
    size_t from, to;
    char *label;
};
struct graph_edges {
    struct graph_edge *items;
    size_t count, room;
};
struct small_graph {
    VEC(struct graph_state) states;
    struct graph_edges edges;
};

/* 0, or -1 if it has more states than `most`, or they were not kept. */
int graph_small(struct model_search *se, size_t most, struct small_graph *out);
void graph_small_free(struct small_graph *g);

/* Layers by the distance from the initial state, from top to bottom. */
void graph_svg(const struct small_graph *g, struct sbuf *out);

#endif
