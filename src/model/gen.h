/* The model compiled: C for the full graph's inner loop, made from the model, built with the
 * system's compiler and loaded into this process (model/gen.c). */
#ifndef MODEL_GEN_H
#define MODEL_GEN_H

#include "model/expand.h"

struct compiled;

/* Builds and loads; NULL with e if there is no compiler or it fails. */
struct compiled *gen_load(const struct sys *s, struct error *e);
void gen_unload(struct compiled *c);

/* The C text alone (owned by the caller). */
char *gen_text(const struct sys *s);

/* As expand_full, with x->code. */
void gen_expand(struct expander *x, const struct gstate *g);

/* The first violated invariant, or -1. */
int gen_invariant(const struct compiled *c, const uint8_t *state);

#endif
