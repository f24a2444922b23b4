/* The compiler underneath: which one, and what kind it is. */
#ifndef CC_COMPILER_H
#define CC_COMPILER_H

#include "base/error.h"
#include "base/mem.h"

struct compiler {
    VEC(const char *) command; /* "/usr/bin/clang", or "/usr/bin/ccache", "gcc"; not empty */
    int is_clang;
    int by_default; /* nobody has named it */
    int version; /* major; 0 until compiler_ask, and for a clang known by its name */
};

/* Picks what RADDLE_CC (RADDLE_CXX if cplusplus) names, a counterpart of the other one of the two,
 * or the first of clang and gcc on the PATH. -1 and an error if there is none. */
int compiler_find(struct compiler *c, int cplusplus, struct error *e);

/* The path of a program as execvp would find it (allocated), or NULL. */
char *compiler_on_path(const char *name);

/* Learns kind and version, running the compiler if its name does not tell. */
int compiler_ask(struct compiler *c, struct error *e);

/* The plugin in that folder that was built for this clang (rewrite/locals.cc), allocated, or NULL. */
char *compiler_plugin(const struct compiler *c, const char *lib);

void compiler_free(struct compiler *c);

#endif
