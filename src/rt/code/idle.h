/* Instructions that make no difference to anybody: a counter of rounds that nobody looks at, and the
 * decision to give way in every tenth of them. */
#ifndef RT_CODE_IDLE_H
#define RT_CODE_IDLE_H

#include "rt/code/examine.h"

/* Given what is needed after it, as far as that is known. */
bool idle_instruction(const struct point *p, const struct needs *after);

/* What matters whatever is needed; exact: giving way does, too. */
void idle_begin(bool exact);

/* Where the two ways of each branch come together, if nothing on them matters (point.merges). */
void idle_branches(void);

/* Where the thread comes to from p over idle instructions; NULL: that is not known. */
const struct point *idle_leads_to(const struct point *p);

#endif
