/* The options of raddle run that are reachability testing's own. */
#ifndef CLI_RUN_REACH_H
#define CLI_RUN_REACH_H

#include "base/error.h"
#include "report/report.h"
#include "trace/shared.h"

/* Adds --reduce (or NULL) to the engine's options. */
int run_reach_options(const char *reduce, struct run_config *c, struct error *e);

/* What the reductions leave out and preserve, for the report. */
void run_reach_tell(const struct run_config *c, struct report *r);

/* --symmetric: names of functions of the program (or NULL). */
int run_reach_symmetric(const char *functions, const char *program, struct run_config *c,
                        struct error *e);

#endif
