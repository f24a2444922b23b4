/* What a module refers to and does not define. */
#ifndef RT_CORE_IMPORTS_H
#define RT_CORE_IMPORTS_H

#include <link.h>
#include <stdbool.h>

/* Calls look() with the name of everything that the module imports, until it is true. */
bool imports_any(const struct dl_phdr_info *module, bool (*look)(const char *name));

#endif
