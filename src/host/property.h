/* --property: expressions of C over global variables, their members and elements, and places where threads
 * stand, compiled through the program's debug information. */
#ifndef HOST_PROPERTY_H
#define HOST_PROPERTY_H

#include "base/error.h"
#include "trace/shared.h"

/* config.property, several separated by ";", into config.compiled. An error points at the place. */
int property_compile(struct run_config *c, const char *program, struct error *e);

/* Lines of a file behind *list; # begins a comment. Its text is never freed. */
int property_from_file(const char *path, const char **list, struct error *e);

#endif
