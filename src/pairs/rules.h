/* The constraints of a model as the generator uses them: which partial tests can be completed to a
 * valid one. A row has one cell per parameter (the index of its value, PAIRS_NONE if open). */
#ifndef PAIRS_RULES_H
#define PAIRS_RULES_H

#include "pairs/model.h"

/* Tests without invalid values, or tests with exactly one (at most one while a row is open). */
enum rules_mode { RULES_POSITIVE, RULES_NEGATIVE };

struct rules;

struct rules *rules_new(const struct pairs_model *m, enum rules_mode mode);
void rules_free(struct rules *r);

int rules_satisfiable(struct rules *r);

/* Is the parameter mentioned by any constraint? If not, all its values go with everything. */
int rules_constrained(const struct rules *r, int param);
int rules_any(const struct rules *r);

/* Can the row be completed? Looks only at the parameters connected with `param` (all if -1). */
int rules_extendable(struct rules *r, const int16_t *row, int param);

/* Completes the constrained parameters of a row that is extendable; prefers the values in `wish`
 * (may be NULL; PAIRS_NONE: no wish). Returns 0, or -1 if the row cannot be completed. */
int rules_complete(struct rules *r, int16_t *row, const int16_t *wish);

/* Do the constraints that mention `param` (all if -1) hold in this complete row? */
int rules_hold(const struct rules *r, const int16_t *row, int param);

#endif
