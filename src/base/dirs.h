/* Where raddle's own files are, found from the place of the running executable so that both the
 * build tree and an installed (and later moved) tree work without a configured path. */
#ifndef BASE_DIRS_H
#define BASE_DIRS_H

#include "base/error.h"

struct dirs {
    char *lib;     /* holds libraddle-rt.so and gcc.specs: TOP/build/lib or PREFIX/lib/raddle */
    char *include; /* holds raddle.h: TOP/include or PREFIX/include */
};

/* 0, or -1 and an error that names the folders looked into. The strings are the caller's. */
int dirs_find(struct dirs *d, struct error *e);
void dirs_free(struct dirs *d);

#endif
