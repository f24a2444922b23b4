/* What a module refers to and does not define, and where it says so. */
#ifndef RT_CORE_IMPORTS_H
#define RT_CORE_IMPORTS_H

#include <link.h>
#include <stdbool.h>

/* Its dynamic section; NULL if it has none. */
const ElfW(Dyn) *imports_dynamic(const struct dl_phdr_info *module);

/* Calls look() with the name of everything that the module imports, until it is true. */
bool imports_any(const struct dl_phdr_info *module, bool (*look)(const char *name));

#endif
