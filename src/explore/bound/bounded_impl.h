/* Shared by bounded.c and bounded_share.c alone: what the engines keep. */
#ifndef EXPLORE_BOUNDED_IMPL_H
#define EXPLORE_BOUNDED_IMPL_H

#include "explore/bound/record.h"
#include "explore/engine.h"
#include "explore/fair.h"
#include "explore/keyset.h"
#include "explore/signature.h"
#include "trace/work.h"

struct bound_search {
    struct tset *open;   /* [step]: threads that were not picked there */
    unsigned char *free; /* [step]: picking them costs nothing */
    uint32_t base;       /* steps of the work item: not to be changed */
    uint32_t fresh;      /* from here on nothing has been postponed yet */
    uint32_t bound, last_bound;
    enum { PREEMPTIONS, DELAYS, PROBE } kind;
    bool cache;
    uint32_t chosen; /* decisions of this execution with a valid entry in `open` */
    uint64_t *state; /* [step]: signature of what came before it */
    struct signature signature;
    struct keyset searched, states;
    struct record record;
    struct tape *now, *next, tapes[2];
    struct tape scratch; /* for records that are given away or saved */
    bool retrying; /* the last execution is repeated: nothing of it was postponed yet */
    struct fair fair;
    struct bound_stats *stats;
    struct limits *limits;
    uint16_t instead_of; /* DELAYS: whom the execution that the work item is made from had there */
};

/* bounded.c: the trace is set to the next work item of this bound; false: there is none. */
bool bounded_next(struct engine *e);

/* bounded_share.c: the functions of struct engine_class for a search that several workers share. */
int bounded_adopt(struct engine *e, struct work *in);
int bounded_save(struct engine *e, struct work *out);
int bounded_give(struct engine *e, enum engine_give why, struct work *out);

#endif
