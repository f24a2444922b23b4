/* Reading the XML files of ACTS: parameters with values, invalid values and base choices,
 * relations, constraints, and the test set if there is one (it becomes seeds). */
#ifndef PAIRS_ACTS_H
#define PAIRS_ACTS_H

#include "pairs/model.h"
#include "pairs/source.h"

int acts_parse(struct pairs_model *m, const struct pairs_source *s, const struct pairs_read_options *o,
               struct error *e);

#endif
