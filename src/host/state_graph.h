/* --states: the graph of states that an engine has found, as a file. */
#ifndef HOST_STATE_GRAPH_H
#define HOST_STATE_GRAPH_H

#include "host/region.h"

/* One line for each transition: the state it leads from, its thread, the state it leads to, and, if
 * something was chosen, what. Or for Graphviz, if the path ends in .dot. */
int state_graph_write(const struct region *r, const char *path, struct error *e);

#endif
