/* A small conflict-driven clause-learning SAT solver: watched literals, first-UIP learning,
 * activity-ordered decisions, restarts, assumptions. Literals are 2*var (true) and 2*var+1 (false).
 * A theory hook may refute a partial assignment with a clause that is false under it. */
#ifndef PAIRS_SAT_H
#define PAIRS_SAT_H

#include <stddef.h>

typedef int sat_lit;
#define SAT_LIT(var, negated) (2 * (var) + ((negated) ? 1 : 0))
#define SAT_NOT(lit) ((lit) ^ 1)

struct sat;

/* Called when propagation has ended without conflict. Writes a clause whose literals are all false
 * into out (room for every variable) and returns its length; 0 if nothing is wrong. */
typedef int sat_theory(void *context, const struct sat *s, sat_lit *out);

struct sat *sat_new(void);
void sat_free(struct sat *s);
int sat_add_var(struct sat *s);
void sat_add_clause(struct sat *s, const sat_lit *lits, int count);
void sat_set_theory(struct sat *s, sat_theory *theory, void *context);
/* The value tried first when the variable is decided; a higher weight is decided earlier. */
void sat_prefer(struct sat *s, int var, int value);

/* 1 satisfiable (sat_value tells the assignment), 0 not. */
int sat_solve(struct sat *s, const sat_lit *assumptions, int count);

/* 1 true, 0 false, -1 open: the last model, or inside the hook the current assignment. */
int sat_value(const struct sat *s, int var);

#endif
