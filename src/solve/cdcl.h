/* A small SAT solver: conflict-driven clause learning with two watched literals, activity-ordered
 * decisions and saved phases. It answers many small questions, one after the other, each from scratch:
 * a few hundred to some ten thousand clauses, for which setting up a large solver costs more than
 * solving. All memory comes from an arena.
 *
 * A literal is 2 * variable + (1 if negated). Variable 0 is the constant true. */
#ifndef SOLVE_CDCL_H
#define SOLVE_CDCL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define SAT_TRUE 0u
#define SAT_FALSE 1u

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

struct cdcl {
    uint32_t vars, room;
    int8_t *value;    /* [literal]: 1 true, -1 false, 0 not assigned */
    uint8_t *phase, *seen;
    uint32_t *level, *reason;
    uint32_t *heads;  /* [literal]: the first clause that watches it */
    uint32_t *clauses, used, clause_room;
    uint32_t *trail, trailed, propagated;
    uint32_t *levels, level_count; /* length of the trail where each level began */
    double *activity, bump;
    uint32_t *heap, *place, heaped;
    uint32_t *learnt, *left_out;
    uint64_t conflicts;    /* of all questions */
    uint64_t visits;       /* of clauses, in this one */
    bool contradiction;    /* the clauses so far cannot be satisfied */
    bool full;             /* no room for a clause or variable: the answer is unknown */
    /* NULL, or asked now and then while solving, set anew for each question. 0: the answer is unknown. */
    int (*go_on)(void);
};

#define CDCL_VAR_BYTES 52u /* what each variable takes at most */
int cdcl_init(struct cdcl *s, struct arena *a, uint32_t vars, uint32_t clause_words);
void cdcl_reset(struct cdcl *s);                /* a new question */
uint32_t cdcl_var(struct cdcl *s, bool phase);  /* a positive literal of a new variable, tried so first */
uint32_t cdcl_input(struct cdcl *s, bool phase); /* … that others follow from: decided first */
void cdcl_clause(struct cdcl *s, const uint32_t *literals, uint32_t n);
/* budget: conflicts, of CDCL_VISITS visits to clauses each. */
#define CDCL_VISITS 2500
enum answer cdcl_solve(struct cdcl *s, uint64_t budget);
static inline bool cdcl_is_true(const struct cdcl *s, uint32_t literal)
{
    return s->value[literal] > 0;
}

#endif
