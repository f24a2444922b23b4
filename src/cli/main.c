/* raddle: finds the subcommand and runs it. Called as raddle-cc or raddle-c++ it is the compiler
 * driver. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef RADDLE_VERSION
#define RADDLE_VERSION "0.1.0"
#endif

static const struct {
    int (*run)(int argc, char **argv);
    const struct opt_command *options;
} commands[] = {
#define COMMAND(name) {cmd_##name, &cmd_##name##_options},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL},
};

static void print_help(void)
{
    printf("raddle %s: tries every relevant interleaving of a concurrent C program\n\n"
           "usage: raddle COMMAND [options] …\n\n",
           RADDLE_VERSION);
    for (int i = 0; commands[i].run; i++)
        printf("  %-16s %s\n", commands[i].options->name, commands[i].options->summary);
    printf("\nraddle COMMAND --help tells all about one of them.\n\n"
           "C11 memory orders weaker than seq_cst are explored as seq_cst.\n\n"
           "Exit status: 0 no bug and complete, 1 bug, 2 no bug but incomplete, 3 the program could\n"
           "not be built or started, 64 usage, 70 internal error, 74 no bug, but a file that was asked for\n"
           "could not be written.\n");
}

/* The compiler drivers are also called by a name of one word: raddle-cc is raddle cc; in raddle env by
 * that of any compiler. */
static int (*driver_named(const char *path))(int argc, char **argv)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!strcmp(name, "raddle-cc"))
        return cmd_cc;
    return strcmp(name, "raddle-c++") ? env_driver(name) : cmd_cxx;
}

/* A crash of the tool itself. */
static void crashed(int sig)
{
    struct error e;
    const char *name = sigabbrev_np(sig);
    error_internal(&e, "died from SIG%s", name ? name : "?");
    _exit(error_print(&e));
}

static void catch_crashes(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction a = {.sa_handler = crashed, .sa_flags = SA_RESETHAND};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &a, NULL);
}

/* What was printed may not have come to where it was to go: a full disk. */
static int written(int status)
{
    struct error e;
    const char *why = fflush(stdout) ? strerror(errno) : ferror(stdout) ? "not all of it was taken" : NULL;
    if (why) {
        error_set(&e, status, "cannot write to the standard output: %s", why);
        error_print(&e);
        status = error_unwritten(status);
    }
    return status;
}

int main(int argc, char **argv)
{
    catch_crashes();
    int (*driver)(int, char **) = argc ? driver_named(argv[0]) : NULL;
    if (driver)
        return driver(argc, argv);
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        print_help();
        return argc < 2 ? EXIT_USAGE : 0;
    }
    if (!strcmp(argv[1], "--version"))
        return cmd_version(1, argv);
    for (int i = 0; commands[i].run; i++)
        if (!strcmp(argv[1], commands[i].options->name))
            return written(commands[i].run(argc - 1, argv + 1));
    struct error e;
    error_set(&e, EXIT_USAGE, "unknown command '%s'", argv[1]);
    error_todo(&e, "raddle --help lists the commands");
    return error_print(&e);
}
