/* Writes the graph of a finished search: .dot (Graphviz), .aut (Aldebaran, as CADP and mCRL2 read
 * it), .json. Edges are found by expanding every state again. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/search.h"

int graph_write(struct model_search *se, const char *file, struct error *e);

#endif
