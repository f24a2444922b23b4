/* The folders around /proc/self/exe (see dirs.h). An installed tool is PREFIX/bin/raddle beside
 * PREFIX/lib/raddle/ and PREFIX/include/raddle.h; in the build tree it is TOP/build/bin/raddle
 * beside TOP/build/lib/ and TOP/include/raddle.h. The installed layout is looked for first: the
 * build tree has no lib/raddle. */
#include "base/dirs.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *lib, *include; /* relative to the folder above that of the executable */
} layouts[] = {
    {"/lib/raddle", "/include"},
    {"/lib", "/../include"},
};

/* The folder above the executable's own, "" for /raddle. */
static int prefix_of_executable(char *path, struct error *e)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n < 0)
        return error_set(e, EXIT_INTERNAL, "cannot read /proc/self/exe: %s", strerror(errno));
    path[n] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
    }
    return 0;
}

static int holds(const char *dir, const char *file)
{
    char *path = mem_printf("%s/%s", dir, file);
    int found = access(path, R_OK) == 0;
    free(path);
    return found;
}

int dirs_find(struct dirs *d, struct error *e)
{
    char prefix[PATH_MAX], real[PATH_MAX];
    if (prefix_of_executable(prefix, e))
        return -1;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        d->lib = mem_printf("%s%s", prefix, layouts[i].lib);
        d->include = mem_printf("%s%s", prefix, layouts[i].include);
        if (holds(d->lib, "gcc.specs") && holds(d->include, "raddle.h") &&
            realpath(d->include, real)) {
            free(d->include);
            d->include = mem_strdup(real);
            return 0;
        }
        dirs_free(d);
    }
    error_set(e, EXIT_CANNOT_START, "cannot find raddle's own files around %s/bin", prefix);
    return error_todo(e, "expected %s/lib/raddle and %s/include/raddle.h; install again with: make "
                         "install PREFIX=…", prefix, prefix);
}

void dirs_free(struct dirs *d)
{
    free(d->lib);
    free(d->include);
    *d = (struct dirs){0};
}
