/* Calls of a function after which the same happens: copies that a compiler made of the first round of a
 * loop. */
#ifndef RT_CODE_ALIKE_H
#define RT_CODE_ALIKE_H

#include "rt/code/examine.h"

/* Tells the instructions of the function under examination apart, once it is known which of them matter
 * (idle.h). */
void alike_classify(void);

/* The first call that is like this one; the next one after `last`, NULL: there is none. */
const struct point *alike_first(const struct point *call);
const struct point *alike_next(const struct point *call, const struct point *last);

#endif
