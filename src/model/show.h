/* States, messages and values as text. */
#ifndef MODEL_SHOW_H
#define MODEL_SHOW_H

#include "base/sbuf.h"
#include "model/step.h"

void show_value(const struct sys *s, int type, long long value, struct sbuf *b);
/* A message in a slot of a port: "one(2)". */
void show_message(const struct sys *s, int port, const uint8_t *slot, struct sbuf *b);
/* "Node[0]: waiting x=1 …", one line per process, then the ports that are not empty. */
void show_state(const struct sys *s, const struct gstate *g, const char *indent, struct sbuf *b);
/* The same on one line, for graphs. */
void show_state_short(const struct sys *s, const struct gstate *g, struct sbuf *b);
/* A step in words: "Node[0] sends one(2) to Node[1].in"; g is the state before it. */
void show_step(const struct sys *s, const struct gstate *g, struct model_step st, struct sbuf *b);
/* What a fault is: "assertion violated: …". */
void show_fault(const struct sys *s, const struct fault *f, struct sbuf *b);

/* hbgraph.c: the happen-before graph of a port as in figures 2.7 and 2.8: per sender its queue
 * divided into sub-queues, each with its parents. */
void show_happen_before(const struct sys *s, const struct gstate *g, int port, struct sbuf *b);

#endif
