/* The workers of one search as a team (-j N): the host's side of struct exchange (trace/shared.h).
 * Work goes from busy workers to dry ones through a pool (farm/pool.h), or they share it in memory. */
#ifndef HOST_TEAM_H
#define HOST_TEAM_H

#include "explore/share/grove.h"
#include "host/region.h"
#include "farm/pool.h"

struct team {
    struct pool pool;    /* of engines whose work is independent */
    struct grove *grove; /* the workers share the work in memory, without us; NULL: they do not */
    uint64_t memory; /* that may be kept of what is shared */
    struct work item;
    VEC(struct region *) members;
    int beginning_again; /* all pause, because there are new scheduling points */
    int failed;          /* a worker's post cannot be understood */
    size_t next;         /* whom to ask for work next */
    uint64_t restarts;
    bool patient; /* do not ask busy workers for work yet: the search may be a short one */
};

void team_init(struct team *t, uint64_t memory);
void team_free(struct team *t);

/* Looks at what was posted, answers, gives work to who has none. Called when a worker has woken us and
 * now and then. True if someone still waits for work: look again soon. */
bool team_serve(struct team *t);
/* What is known elsewhere of racy accesses, and of the program's loops. */
void team_teach(struct shared *to, const uint64_t *racy, uint32_t count, const struct lessons *lessons);
/* A worker is gone, and so may be others that were not heard of yet (`dead`): what it posted before
 * counts. */
void team_settle(struct team *t, size_t member, bool (*dead)(void *ctx, int member), void *ctx);
/* Wakes all who wait for a reply, to see shared->stop. */
void team_wake(struct team *t);
/* Is the search complete? */
bool team_finished(const struct team *t);
/* What all have done of each bound, in the first region. */
void team_sum_bounds(struct team *t);
/* The estimated fraction that is done. */
double team_fraction(const struct team *t);

#endif
