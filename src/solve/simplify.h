/* The seam between expr.c and simplify.c. */
#ifndef SOLVE_SIMPLIFY_H
#define SOLVE_SIMPLIFY_H

#include "solve/expr.h"

/* The node with these contents, made if there is none; 0 if there is no room. */
uint32_t expr_make(struct exprs *x, struct expr n);

#endif
