/* Fairness for yields (Musuvathi & Qadeer, PLDI 2008): a thread that yields again without having let
 * others run stands behind those it starves, so that a loop that waits by yielding comes to its end where
 * the engine follows its own preference. That is all it is: the others are explored too.
 * Programs that do not yield are not affected. */
#ifndef EXPLORE_FAIR_H
#define EXPLORE_FAIR_H

#include "explore/engine.h"

struct fair {
    uint32_t at;        /* events looked at so far */
    struct tset opened; /* threads that have yielded in this execution */
    struct tset *ran;   /* [thread]: which ran since its last yield */
    struct tset *behind; /* [thread]: whom it has to let go first */
};

int fair_init(struct fair *f, struct arena *a);
static inline void fair_begin(struct fair *f)
{
    f->at = 0;
    f->opened = (struct tset){{0}};
}
/* The enabled threads that are preferred now; never empty. */
struct tset fair_threads(struct fair *f, const struct trace *t, const struct decision *d);

#endif
