/* raddle env: runs a build whose files name the compiler themselves. A folder with a link to raddle
 * under the name of every compiler on the PATH is put before the PATH; called by such a name raddle is the
 * compiler driver, with the compiler of that name underneath (env_driver). */
#include "cli/cli.h"

#include "base/mem.h"
#include "base/sbuf.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER "RADDLE_ENV"

const struct opt_command cmd_env_options = {
    .name = "env",
    .usage = "[--] COMMAND [ARGUMENT…]",
    .summary = "run a build with raddle in the place of the compilers it names",
    .description =
        "For projects whose Makefiles name gcc themselves, so that CC=raddle-cc would not reach all of it: "
        "raddle env make. While the command runs, cc, gcc, clang, c++, g++, clang++ and their kin "
        "with a version or a target in the name are raddle cc and raddle c++, each with the compiler "
        "of that name underneath (RADDLE_CC and RADDLE_CXX overrule that). Everything is to be "
        "built anew: make clean first, or another folder. A compiler that is named by its whole "
        "path (/usr/bin/gcc) is not replaced.\n\n"
        "Exit status: that of the command, or 3 if it could not be started.",
    .stop_at_operand = 1,
};

static const char compilers[] = "^(x86_64-([a-z]+-)+)?"
                                "(cc|gcc|clang|c\\+\\+|g\\+\\+|clang\\+\\+|c89|c99)"
                                "(-[0-9.]+)?$";

/* Links for the compilers in one folder of the PATH. */
static void link_compilers(const char *from, const char *to, const char *self, const regex_t *names)
{
    DIR *d = opendir(from);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        char *link = mem_printf("%s/%s", to, entry->d_name);
        if (!regexec(names, entry->d_name, 0, NULL, 0) && symlink(self, link) && errno != EEXIST)
            error_fatal("cannot make %s: %s", link, strerror(errno));
        free(link);
    }
    if (d)
        closedir(d);
}

static int make_folder(char *folder, const char *path, struct error *e)
{
    char self[PATH_MAX];
    regex_t names;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0 || !mkdtemp(folder))
        return error_set(e, EXIT_CANNOT_START, "cannot make %s: %s", folder, strerror(errno));
    self[n] = 0;
    if (regcomp(&names, compilers, REG_EXTENDED | REG_NOSUB))
        return error_internal(e, "the names of compilers are no regular expression");
    char *all = mem_strdup(path);
    for (char *rest = all, *one; (one = strsep(&rest, ":"));)
        if (*one)
            link_compilers(one, folder, self, &names);
    regfree(&names);
    free(all);
    return 0;
}

static void remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));)
        unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    rmdir(folder);
}

static int run(char **command, struct error *e)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        error_set(e, EXIT_CANNOT_START, "cannot run %s: %s", command[0], strerror(errno));
        _exit(error_print(e));
    }
    signal(SIGINT, SIG_IGN); /* it is for the command; the folder is removed after it */
    signal(SIGTERM, SIG_IGN);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return error_set(e, EXIT_CANNOT_START, "cannot run %s: %s", command[0], strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cmd_env(int argc, char **argv)
{
    struct error e;
    const char *path = getenv("PATH"), *temporary = getenv("TMPDIR");
    int first = opt_parse(&cmd_env_options, argc, argv, NULL, &e);
    if (first == argc) {
        first = error_set(&e, EXIT_USAGE, "raddle env: no command given");
        error_todo(&e, "for instance: raddle env make");
    }
    if (first < 0)
        return error_print(&e);
    char *folder = mem_printf("%s/raddle-env-XXXXXX", temporary ? temporary : "/tmp");
    if (make_folder(folder, path ? path : "/usr/bin:/bin", &e))
        return error_print(&e);
    char *longer = mem_printf("%s:%s", folder, path ? path : "/usr/bin:/bin");
    setenv("PATH", longer, 1);
    setenv(FOLDER, folder, 1);
    int status = run(argv + first, &e);
    remove_folder(folder);
    free(longer);
    free(folder);
    return status < 0 ? error_print(&e) : status;
}

/* The PATH as it was, so that the compiler underneath is found and not this one again. */
static void leave_folder(const char *folder)
{
    struct sbuf rest = {0};
    const char *path = getenv("PATH");
    for (const char *p = path ? path : ""; *p;) {
        size_t n = strcspn(p, ":");
        if (strlen(folder) != n || strncmp(p, folder, n))
            sbuf_printf(&rest, "%s%.*s", rest.len ? ":" : "", (int)n, p);
        p += n + (p[n] == ':');
    }
    setenv("PATH", sbuf_str(&rest), 1);
    sbuf_free(&rest);
}

int (*env_driver(const char *name))(int argc, char **argv)
{
    const char *folder = getenv(FOLDER);
    if (!folder || !*folder || !strncmp(name, "raddle", 6))
        return NULL;
    int cplusplus = strstr(name, "++") != NULL;
    leave_folder(folder);
    unsetenv(FOLDER);
    setenv(cplusplus ? "RADDLE_CXX" : "RADDLE_CC", name, 0);
    return cplusplus ? cmd_cxx : cmd_cc;
}
