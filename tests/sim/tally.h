/* What one of several virtual workers has found, and had found at its last checkpoint. */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include "sim.h"

#include "base/mem.h"

typedef VEC(struct sim_trace_id) sim_traces;

struct sim_tally {
    long complete, blocked, assumed, bounded, deadlocks;
    size_t traces;
};

struct sim_tally sim_tally_save(const struct sim_worker *w, const sim_traces *found);
/* A worker that has begun again from its checkpoint has found what it had found there. */
void sim_tally_restore(const struct sim_tally *s, struct sim_worker *w, sim_traces *found);
/* sim_worker_once. The trace is added if the team wants them. */
int sim_tally_once(const struct sim_team *t, struct sim_worker *w, sim_traces *found);
/* Adds to the results of the team, and frees the worker and its traces. */
void sim_tally_close(struct sim_team *t, struct sim_worker *w, sim_traces *found);

#endif
