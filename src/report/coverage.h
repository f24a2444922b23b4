/* Coverage of an exploration (raddle run --coverage): as a CSV file, and drawn by gnuplot. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include "base/error.h"
#include "base/sbuf.h"
#include "trace/shared.h"

/* Columns: engine, executions, bound, states, traces; one line per sample. */
void coverage_csv(const struct shared *s, const char *engine, struct sbuf *out);

/* Draws the files into `picture` (.svg or .png): states against executions, and where the engine has
 * bounds the share of all states against the bound. */
int coverage_draw(char **files, int count, const char *picture, struct error *e);

#endif
