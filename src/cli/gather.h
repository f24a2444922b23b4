/* From a search to a report: the findings of all workers, worst first, each made shorter, recorded
 * and named. */
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include "host/program.h"
#include "host/supervise.h"
#include "report/report.h"

struct gather {
    const struct search *search;
    const struct worker_spec *spec;
    const struct program *program;
    const struct run_config *config;
    const char *directory; /* of the results */
    int count_only; /* findings are counted, not told */
    int shrink;
    int quiet;
    VEC(int) stories; /* recordings: descriptors, one per finding of the report, -1 = none */
};

#define GATHER_FINDINGS 16 /* at most so many are told */

void gather_report(struct gather *g, struct report *r);
void gather_free(struct gather *g);

/* What a schedule file says about racy accesses, as jobs want it (allocated). */
char *gather_racy_names(const struct schedule *s);

#endif
