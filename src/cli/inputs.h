/* raddle run --inputs MODEL: the exploration once per row that raddle pairs would generate, and one
 * report over all rows. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "base/error.h"

#include <stddef.h>

struct inputs {
    const char *model;
    char *const *command;  /* program and arguments, with {name} where a value goes */
    const char *directory; /* results of row i go to DIRECTORY/row-i */
    const char *json;      /* file for the combined report, "-" for stdout instead of text, or NULL */
    const char *junit;     /* file for it as JUnit XML, a test per row; "-" as well; or NULL */
    int quiet;
    double deadline; /* for all rows together (progress_now()); 0 = none */
    /* Explores one row, the first of `left`; the exit status. Runs in a process of its own with stdout
     * taken away. */
    int (*explore)(void *context, char **command, const char *directory, size_t left);
    void *context;
};

/* The exit status: that of the worst row. */
int inputs_run(const struct inputs *in);

#endif
