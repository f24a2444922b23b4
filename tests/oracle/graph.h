/* graph.h — the graph of states: how many paths lead through it, and where it goes round for ever.
 */
#ifndef ORACLE_GRAPH_H
#define ORACLE_GRAPH_H

struct verdict;

struct edge {
    int to, thread;
};

struct graph {
    struct edge *edge;
    int *first; /* of a node; nodes + 1 of them when all are there */
    int edges, nodes, edge_room, node_room;
};

void graph_node(struct graph *g); /* the edges that follow are those of the next node */
void graph_edge(struct graph *g, int to, int thread);
void graph_judge(struct graph *g, struct verdict *v);
void graph_free(struct graph *g);

#endif
