/* The coordinator of a shared search: keeps the frames (states that belong to no worker, see
 * trace/work.h and explore/share/portion.h) with their branches, hands branches out as items, and takes the
 * workers' splits and reports. It knows nothing of processes: values come in and go out as bytes. */
#ifndef FARM_SHARE_H
#define FARM_SHARE_H

#include "base/mem.h"
#include "trace/work.h"

struct share_frame;

/* A portion whose sequence was cut short hangs on another frame now; a worker that has its work redone
 * still knows it by the old one. */
struct share_alias {
    uint64_t id, branch, now_id, now_branch;
};

struct share {
    VEC(struct share_frame *) frames; /* in no order */
    VEC(struct share_alias) aliases;
    uint64_t next_id;
    uint64_t items, splits, additions; /* handed out; done; branches added by reports */
    uint64_t memory; /* bytes that the frames may take; 0: no limit */
    uint64_t bytes;  /* … and do */
    bool full;       /* sequences were left out */
};

void share_init(struct share *s); /* with the whole search as the only item */
void share_free(struct share *s);

/* The next item for worker `owner`, shallow ones first; false if there is none now. out->bytes is
 * allocated as needed. */
bool share_take(struct share *s, int owner, struct work *out);
/* Is there no memory for more frames? Then no worker should be asked to split. */
bool share_crowded(const struct share *s);
/* Items that could be taken, now or as soon as their elder siblings have been begun. */
bool share_waiting(const struct share *s);
/* A split or report of `owner`; *out is the answer (ANSWER). -1: not well-formed. */
int share_tell(struct share *s, int owner, struct work *in, struct work *out);
bool share_finished(const struct share *s);
/* The fraction of the search that is done, if worker i has done part(ctx, i) of its item: Knuth's
 * estimate over the frames. */
double share_fraction(const struct share *s, double (*part)(void *ctx, int owner), void *ctx);

#endif
