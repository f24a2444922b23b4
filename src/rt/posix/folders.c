/* Folders that are listed while there are threads. What a list has depends on the names that others
 * have made, removed or changed before, so in a program that lists folders such a call is a step on
 * the folder too: before it and behind it, since an event is on one object (as renaming, files.c).
 * Who lists the folder in between comes before the call or after it, and is the same as who lists it
 * before or after all three. A list is read by steps on the folder, which only look. The order of the
 * names is that of the file system.
 *
 * Whether a program lists folders is seen from what its modules import: in all others making a file
 * is a step on the file alone, and no step at all is lost, in a replay as in the search. */
#include "rt/posix/folders.h"

#include "rt/check/finding.h"
#include "rt/core/imports.h"
#include "rt/core/interpose.h"
#include "rt/core/restart.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/files.h"
#include "rt/posix/strings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <string.h>

bool folders_listed;

/* The name that a thread is changing. */
static struct {
    uint32_t generation;
    uint64_t pc;
    char folder[PATH_MAX];
} changes[EVENT_MAX_THREADS];

/* ---- what the program refers to ---------------------------------------------------------------- */

static bool lists(const char *name)
{
    static const char *const by[] = {
        "opendir", "fdopendir", "readdir", "readdir64", "scandir", "scandir64", "scandirat", "scandirat64",
        "glob", "glob64", "ftw", "ftw64", "nftw", "nftw64", "fts_open", "fts64_open", "getdents64", "wordexp",
    };
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (!strcmp(name, by[i]))
            return true;
    return strstr(name, "directory_iterator");
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    folders_listed |= restart_is_program(info->dlpi_addr + info->dlpi_phdr[0].p_vaddr) &&
                      imports_any(info, lists);
    return 0;
}

void folders_init(void)
{
    dl_iterate_phdr(look_at_module, NULL);
}

/* ---- changes ------------------------------------------------------------------------------------ */

void folders_before(const char *path, uint64_t pc)
{
    char parent[PATH_MAX], *folder = changes[rt.current].folder;
    rt_copy(parent, path, strlen(path) + 1);
    char *slash = strrchr(parent, '/');
    slash[slash == parent] = 0;
    if (!file_path(AT_FDCWD, parent, true, folder))
        return;
    file_step_done(file_step_known(folder, false, pc), true);
    changes[rt.current].pc = pc;
    changes[rt.current].generation = rt.generation;
}

void folders_after(void)
{
    if (changes[rt.current].generation != rt.generation)
        return;
    changes[rt.current].generation = 0;
    file_step_done(file_step_known(changes[rt.current].folder, false, changes[rt.current].pc), true);
}

/* ---- lists -------------------------------------------------------------------------------------- */

RT_EXPORT DIR *opendir(const char *path)
{
    rt.files_opened = true;
    files_note_changing(AT_FDCWD, path);
    struct event *op = file_step_path(AT_FDCWD, path, true, true, RT_PC());
    DIR *d = REAL(opendir)(path);
    file_step_done(op, false);
    return d;
}

RT_EXPORT struct dirent *readdir(DIR *d)
{
    strings_write(d, 1, RT_PC());
    struct event *op = file_step_path(dirfd(d), ".", true, true, RT_PC());
    struct dirent *e = REAL(readdir)(d);
    file_step_done(op, false);
    return e;
}

#define SCANS(name, parameters, at, path, ...)                                                     \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        rt.files_opened = true;                                                                    \
        files_note_changing(at, path);                                                             \
        struct event *op = file_step_path(at, path, true, true, RT_PC());                          \
        int n = REAL(name)(__VA_ARGS__);                                                           \
        file_step_done(op, false);                                                                 \
        return n;                                                                                  \
    }
typedef int choice(const struct dirent *);
typedef int order(const struct dirent **, const struct dirent **);
SCANS(scandir, (const char *restrict path, struct dirent ***restrict to, choice *choose, order *compare),
      AT_FDCWD, path, path, to, choose, compare)
SCANS(scandirat,
      (int at, const char *restrict path, struct dirent ***restrict to, choice *choose, order *compare), at,
      path, at, path, to, choose, compare)

/* Lists of many folders are performed, but are no steps on them. */
static void uncontrolled(const char *name, uint64_t pc)
{
    rt.files_opened = true;
    if (!rt.active || rt.threads == 1)
        return;
    finding_warn(pc, "%s() is not under raddle's control", name);
    finding_incomplete("threads list folders with %s()", name);
}

#define UNCONTROLLED(type, name, parameters, ...)                                                  \
    RT_EXPORT type name parameters                                                                 \
    {                                                                                              \
        uncontrolled(#name, RT_PC());                                                              \
        return REAL(name)(__VA_ARGS__);                                                            \
    }
UNCONTROLLED(int, ftw, (const char *path, __ftw_func_t use, int n), path, use, n)
UNCONTROLLED(int, nftw, (const char *path, __nftw_func_t use, int n, int flags), path, use, n, flags)
typedef int fts_order(const FTSENT **, const FTSENT **);
UNCONTROLLED(FTS *, fts_open, (char *const *paths, int flags, fts_order *compare), paths, flags, compare)

RT_EXPORT int glob(const char *restrict pattern, int flags, int (*error)(const char *, int),
                   glob_t *restrict to)
{
    strings_write(to, sizeof *to, RT_PC());
    uncontrolled("glob", RT_PC());
    return REAL(glob)(pattern, flags, error, to);
}
