/* The options of raddle run that are reachability testing's own. */
#ifndef CLI_RUN_REACH_H
#define CLI_RUN_REACH_H

#include "base/error.h"
#include "trace/shared.h"

/* Adds --reduce and --save-sequences (either may be NULL) to the engine's options; makes the folder. */
int run_reach_options(const char *reduce, const char *save, struct run_config *c, struct error *e);

/* After the search: names instead of addresses in the sequences. */
int run_reach_finish(const char *save, const char *program, struct error *e);

#endif
