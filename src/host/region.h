/* A region: the memory that the host shares with one worker (trace/shared.h), seen from the host. The
 * worker maps it at SHARED_BASE and its pointers mean that address; the host maps it anywhere, so it
 * can hold several, and translates pointers with region_at. */
#ifndef HOST_REGION_H
#define HOST_REGION_H

#include "base/error.h"
#include "trace/shared.h"

struct region {
    int fd;
    int spill; /* an unlinked file for what an engine cannot keep in memory; -1 = none */
    int traces; /* --all-traces: the worker's own file; -1 = none */
    int names;  /* keeps the number of this name in shared->names for us; -1 = none */
    struct shared *shared;
};

int region_create(struct region *r, const struct run_config *config, struct error *e);
void region_free(struct region *r);

/* An unlinked file in $TMPDIR; -1 if that is not possible. */
int region_scratch(void);

/* Can what the worker left be believed? A wild write of the program reaches this memory too. Texts
 * are terminated on the way. `config` is what the region was made with. */
int region_intact(struct region *r, const struct run_config *config);

/* The host's address of something the worker calls p; NULL if p does not lie in the region. */
void *region_at(const struct region *r, const void *p, size_t bytes);

/* The host's view of a finding's schedule; *count = 0 if there is none. */
const struct step *region_steps(const struct region *r, const struct finding *f, uint32_t *count);

/* Hands a schedule to the worker: the first `count` steps are followed (replay) or are the material
 * to work on (shrink: they are not a prefix). */
int region_put_steps(struct region *r, const struct step *steps, uint32_t count, struct error *e);

/* A worker's buffer as the host sees it; empty if it does not lie in the region. And bytes into one: false if
 * they do not fit. */
struct work region_work(const struct region *r, const struct work *w);
bool region_put_work(const struct region *r, struct work *to, const struct work *from);

/* A finding from elsewhere, unless the region has the same one. */
void region_add_finding(struct region *r, const struct finding *f, const struct step *steps,
                        const uint64_t *racy, const char *inputs);

#endif
