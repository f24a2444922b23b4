#include "model/gen.h"
struct compiled *gen_load(const struct sys *s, struct error *e) { error_set(e, 3, "not yet"); return 0; }
void gen_unload(struct compiled *c) { }
char *gen_text(const struct sys *s) { return 0; }
void gen_expand(struct expander *x, const struct gstate *g) { }
int gen_invariant(const struct compiled *c, const uint8_t *state) { return -1; }
