/* Loops that end whatever the variables hold they count with: `for (i = 0; i < delay; i++) pause();` */
#ifndef RT_CODE_ENDS_H
#define RT_CODE_ENDS_H

#include "rt/code/examine.h"

/* One way of the branch leads, over idle instructions, back to the branch (idle.c): where the other one
 * begins, if the thread comes to take that; NULL: it is not such a loop, or that is not proved. */
const struct point *ends_at(const struct point *branch);

/* Is it such a loop, and the instruction at pc in it? */
bool ends_has(const struct point *branch, uintptr_t pc);

#endif
