/* Options of raddle run that are about unfoldings and states: --dot, --states. */
#ifndef CLI_RUN_UNFOLD_H
#define CLI_RUN_UNFOLD_H

#include "host/region.h"
#include "report/report.h"
#include "trace/shared.h"

/* Can the file be written, and does the engine build an unfolding? NULL: none is wanted. */
int run_unfold_check(const char *dot, const struct run_config *c, struct error *e);

/* Writes it; that it is not all of it is told on standard error. */
int run_unfold_draw(const char *dot, const struct report *r, struct error *e);

/* The same for the graph of states that the engine of a worker has found. */
int run_states_check(const char *path, struct run_config *c, struct error *e);
int run_states_write(const char *path, const struct region *worker, struct error *e);

#endif
