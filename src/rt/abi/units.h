/* Which parts of the program were not compiled with raddle cc: the verdict is incomplete and names
 * them. */
#ifndef RT_UNITS_H
#define RT_UNITS_H

#include <stdbool.h>

/* The first few of a list of names. */
#define NAMES_KEPT 4
struct unit_names {
    char text[160];
    int count;
};
void names_add(struct unit_names *n, const char *name);
bool names_have(const struct unit_names *n, const char *name);

void units_check(void);              /* source files whose objects were only linked (units.c) */
void units_check_symbolic(void);     /* there are inputs: source files built without --symbolic */
void libraries_check(bool late);     /* shared libraries (libraries.c); late: after dlopen */

#endif
