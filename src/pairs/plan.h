/* Planning help, as PairTest gives it: how much the first tests cover, and how many tests a change
 * of the model would cost. */
#ifndef PAIRS_PLAN_H
#define PAIRS_PLAN_H

#include "base/sbuf.h"
#include "pairs/generate.h"
#include "pairs/source.h"

/* r is the result for the model in `text`; its tests are ordered by coverage. */
int plan_write(const struct pairs_source *text, const struct pairs_read_options *read,
               const struct pairs_model *m, const struct pairs_options *o,
               const struct pairs_result *r, struct sbuf *out, struct error *e);

#endif
