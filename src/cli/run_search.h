/* The search of raddle run, from its start until what it found was replayed and told. It is repeated
 * with a process for each execution if a finding did not appear again in a fresh one. */
#ifndef CLI_RUN_SEARCH_H
#define CLI_RUN_SEARCH_H

#include "host/gather.h"

struct run_search {
    double time; /* seconds, 0 = no limit; telling may take TELL_PART more */
    int jobs, quiet;
    const struct farm_url *farm; /* NULL: on this machine alone */
    const char *identity;        /* what all participants must have in common */
    int traces; /* keep the canonical form of every execution */
};

/* The results are in s (to be freed) and g; -1 if there are none, 1 if raddle itself failed after it had
 * found something. config is the one that g has. */
int run_search(const struct run_search *o, struct run_config *config, struct search *s, struct gather *g,
               struct error *e);

/* The growth of coverage as CSV. */
int run_search_coverage(const struct search *s, const char *path, struct error *e);
/* Writes what was kept with `traces` to a file. */
int run_search_traces(const struct search *s, const char *path, struct error *e);

#endif
