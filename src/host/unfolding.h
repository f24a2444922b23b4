/* The unfolding that the engine of a search has built, out of the worker's memory into the report. */
#ifndef HOST_UNFOLDING_H
#define HOST_UNFOLDING_H

#include "host/region.h"
#include "report/names.h"
#include "report/report.h"

/* Nothing is added if the engine is another one, or has nothing to show. */
void unfolding_take(const struct region *region, const struct run_config *config, struct names *n,
                    struct report *r);

#endif
