/* A small graph placed in layers (after Sugiyama): who calls says which layer each node is in; within a layer
 * nodes are put in the order of the average place of their neighbours in the layer before, a few times
 * down and up. */
#ifndef BASE_LAYERS_H
#define BASE_LAYERS_H

#include <stddef.h>

struct layers_edge {
    size_t from, to;
};

struct layers {
    size_t nodes, edge_count;
    struct layers_edge *edges; /* [edge_count] */
    size_t *layer, *place;     /* of each node: its layer, and its place in it */
    size_t layers, widest;     /* how many; nodes in the one with most */
    size_t *width;             /* [layers]: nodes of each */
    double *wish;              /* where each would like to be; scratch */
};

/* Room for a graph; then edges[] and layer[] are to be filled in. */
void layers_init(struct layers *l, size_t nodes, size_t edges);
void layers_free(struct layers *l);

/* Finds places, from layer[]. */
void layers_settle(struct layers *l);

/* The place of a node as a part of the width, so that layers of different width compare. */
double layers_spot(const struct layers *l, size_t node);

#endif
