/* Racy accesses that come from a schedule file: they are named by module and offset, because only the
 * worker knows where its modules lie. Resolved once, before main. */
#include "rt/abi/access.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct wanted {
    const char *name; /* base name of the module's file, not terminated */
    size_t length;
    uint64_t offset;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The main program, which the loader calls "". */
static const char *own_path(void)
{
    static char path[4096];
    long n = syscall(SYS_readlink, "/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return path;
}

static int resolve(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct wanted *w = arg;
    struct shared *s = rt.shared;
    const char *name = base_name(*info->dlpi_name ? info->dlpi_name : own_path());
    if (strlen(name) != w->length || strncmp(name, w->name, w->length))
        return 0;
    if (s->racy_count < SHARED_RACY)
        s->racy[s->racy_count++] = info->dlpi_addr + w->offset;
    return 1;
}

void access_resolve_racy(void)
{
    for (const char *p = rt.shared->racy_names; *p;) {
        size_t length = strcspn(p, "\n");
        const char *plus = memrchr(p, '+', length);
        if (plus) {
            struct wanted w = {.name = p, .length = (size_t)(plus - p)};
            w.offset = strtoull(plus + 1, NULL, 16);
            dl_iterate_phdr(resolve, &w);
        }
        p += length + (p[length] == '\n');
    }
    rt.shared->racy_names[0] = 0;
}
