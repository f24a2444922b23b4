/* The pool of a search whose pending work is independent (engine_class.parts): what nobody works on lies
 * here as *parts*, bytes that only the engine understands. A worker takes one, may give some of it back as
 * further parts, and says when it is done. It knows nothing of processes: values come in and go out as
 * bytes (trace/work.h).
 *
 * Searches in the order of a bound go level by level: a part of the next level is taken only when all of
 * the level before is done. */
#ifndef FARM_POOL_H
#define FARM_POOL_H

#include "base/mem.h"
#include "trace/work.h"

struct pool_part {
    uint64_t level;
    struct work bytes; /* a PART */
};

struct pool {
    VEC(struct pool_part) waiting;
    uint64_t out;   /* parts that workers have, … */
    uint64_t level; /* … all of this level; the one that is searched */
    uint64_t items, gifts; /* handed out; given by workers */
    uint64_t memory; /* bytes that what waits may take; 0: no limit */
    uint64_t bytes;  /* … and does */
    bool full;       /* parts of later levels were left out: the search ends with this one */
};

void pool_init(struct pool *p, uint64_t memory); /* with the whole search as the only part */
void pool_free(struct pool *p);
void pool_clear(struct pool *p); /* nothing waits */
/* One more waits, as pool_take gave it. -1: not well-formed. */
int pool_put(struct pool *p, const struct work *part);

/* The next part; false if there is none now. out->bytes is allocated as needed. */
bool pool_take(struct pool *p, struct work *out);
/* A GIFT of somebody who has a part, or is done with it. -1: not well-formed, nothing was changed. */
int pool_tell(struct pool *p, struct work *in, bool done);
/* Whoever had it is gone: as of its last checkpoint. */
void pool_return(struct pool *p, const struct work *part);

/* Could something be taken now? Is there no memory for more, so that nobody should be asked? */
bool pool_waiting(const struct pool *p);
bool pool_crowded(const struct pool *p);
bool pool_finished(const struct pool *p);

#endif
