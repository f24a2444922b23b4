/* The output folder of a run: made before the exploration, so that a folder that cannot be written is
 * known at once, filled after it. */
#ifndef CLI_OUTDIR_H
#define CLI_OUTDIR_H

#include "base/error.h"
#include "report/report.h"

/* The folder's name (allocated): `wanted`, or raddle-out/PROGRAM-TIME. NULL on an error. */
void outdir_link_latest(const char *directory); /* raddle-out/latest, if it is in raddle-out */
char *outdir_make(const char *wanted, const char *program, struct error *e);

/* Writes schedules, recordings (descriptors story[i], -1 = none), summary and reports; then
 * raddle-out/latest points to it. On an error the rest of the files is still tried. */
int outdir_fill(const char *directory, const struct report *r, const int *story, int input,
                struct error *e);

/* The folder of one result (allocated): `given`, or of raddle run --inputs that of its first row with a
 * schedule, which stderr names. */
char *outdir_result(const char *given);

int outdir_write(const char *path, const char *text, size_t n, struct error *e);

#endif
