/* raddle's compiler driver: turns a compiler command line into one that builds for raddle. */
#ifndef CC_DRIVER_H
#define CC_DRIVER_H

#include "base/dirs.h"
#include "cc/cmdline.h"
#include "cc/compiler.h"

struct cc_args {
    VEC(const char *) words; /* ends with NULL; the strings live elsewhere */
};

/* The command to run in place of argv. -1 and an error for what raddle cannot build. */
int driver_command(struct cc_args *into, const struct cc_line *line, const struct compiler *c,
                   const struct dirs *d, char **argv, struct error *e);

/* Runs the compiler, in this process's place if nothing is to be done after it; the exit status. */
int driver_run(int cplusplus, int argc, char **argv);

#endif
