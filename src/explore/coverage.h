/* How much of the program's behaviour an exploration has seen, whatever the engine: distinct states
 * (happens-before signatures of prefixes) and distinct traces (of whole executions), against the
 * number of executions. The runtime feeds it beside the engine when config.coverage is set. */
#ifndef EXPLORE_COVERAGE_H
#define EXPLORE_COVERAGE_H

#include "explore/keyset.h"
#include "explore/signature.h"

struct coverage_watch {
    struct signature signature;
    struct keyset states, traces;
};

/* In the engine's arena; NULL if that is too small. */
struct coverage_watch *coverage_new(struct engine *e);
void coverage_begin(struct coverage_watch *w);
void coverage_observe(struct coverage_watch *w, const struct event *ev);
/* After an execution, before the engine hears of its end. */
void coverage_end(struct coverage_watch *w, struct shared *s, enum outcome o);

#endif
