/* The options of raddle run that are reachability testing's own. */
#ifndef CLI_RUN_REACH_H
#define CLI_RUN_REACH_H

#include "base/error.h"
#include "trace/shared.h"

/* Adds --reduce (or NULL) and --history to the engine's options. */
int run_reach_options(const char *reduce, int history, struct run_config *c, struct error *e);

/* --symmetric: names of functions of the program (or NULL). */
int run_reach_symmetric(const char *functions, const char *program, struct run_config *c,
                        struct error *e);

#endif
