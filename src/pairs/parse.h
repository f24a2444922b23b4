/* Reading PICT's model format and our superset of it. */
#ifndef PAIRS_PARSE_H
#define PAIRS_PARSE_H

#include "pairs/model.h"
#include "pairs/source.h"

/* Parameters, relations, constraints; -1 with e filled, m then holds what was read so far. */
int parse_model(struct pairs_model *m, const struct pairs_source *s, const struct pairs_read_options *o,
                struct error *e);

/* One constraint statement at *at (ends after its ';', or at the end of the text if `whole`);
 * NULL on error. Whitespace and comment lines are skipped. If the statement names a [parameter] that
 * the model does not have, e is filled, but (unless `whole`) it is read as always true. */
struct pairs_expr *parse_constraint(struct pairs_model *m, const struct pairs_source *s,
                                    size_t *at, int whole,
                              struct error *e);
size_t parse_skip_space(const struct pairs_source *s, size_t at);

/* Shared by the readers: duplicate names, empty domains, too many values. */
int parse_validate(struct pairs_model *m, const struct pairs_source *s, const size_t *places,
                   struct error *e);

#endif
