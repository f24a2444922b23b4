/* Tests made of symbolic inputs: raddle run --save-tests DIR writes one file per path, raddle run --tests DIR
 * explores the schedules for each of them. */
#ifndef CLI_RUN_TESTS_H
#define CLI_RUN_TESTS_H

#include "base/error.h"
#include "trace/shared.h"

/* Makes the folder and puts its name into the configuration. -1 if that is not possible. */
int run_tests_prepare(const char *directory, struct run_config *c, struct error *e);
/* --save-queries: the name of the file. */
int run_tests_queries(const char *file, struct run_config *c, struct error *e);
/* After the search: a C header beside each file of inputs, and a word about them unless quiet.
 * NULL: none are wanted. */
int run_tests_headers(const char *directory, int quiet, struct error *e);

/* Explores with the inputs of each file, in a process of its own. The exit status: that of the worst. */
int run_tests(const char *directory, const struct run_config *config,
              int (*explore)(void *context, const struct run_config *config, const char *name),
              void *context);

#endif
