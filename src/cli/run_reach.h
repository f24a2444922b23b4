/* The options of raddle run that are reachability testing's own. */
#ifndef CLI_RUN_REACH_H
#define CLI_RUN_REACH_H

#include "base/error.h"
#include "trace/shared.h"

/* Adds --reduce, --history and --save-sequences to the engine's options (texts may be NULL); makes the
 * folder. */
int run_reach_options(const char *reduce, int history, const char *save, struct run_config *c,
                      struct error *e);

/* --symmetric: names of functions of the program (or NULL). */
int run_reach_symmetric(const char *functions, const char *program, struct run_config *c,
                        struct error *e);

/* After the search: names instead of addresses in the sequences. */
int run_reach_finish(const char *save, const char *program, struct error *e);

#endif
