/* Shared by optimal.c and optimal_share.c alone: what the engine keeps. */
#ifndef EXPLORE_OPTIMAL_IMPL_H
#define EXPLORE_OPTIMAL_IMPL_H

#include "explore/share/portion.h"
#include "object/section.h"

struct optimal {
    struct happens hb;
    struct sleep sleep;
    struct wakeup wakeup;
    struct reversal rev;
    struct estimate estimate;
    struct portion portion;
    struct tset *enabled; /* [step] */
    struct act expected;  /* what the step under way should perform, if expecting */
    bool expecting;
    uint32_t cursor;      /* what the wakeup tree says about the next step */
    uint32_t fresh;       /* first step of this execution that was not in its prefix */
    bool retrying; /* the step after the prefix was taken by a thread that cannot go on there */
    uint64_t inserted;
    bool looks; /* threads may stand before looks of loops that wait */
    /* Of threads that are as good as each other the last is chosen: they are often made in the order in
     * which one needs what another does. So each happens after less, sequences that reverse a race are
     * shorter, and have more below them. */
    bool last_first;
    /* The search was free at a step below which others had been, or somebody was left waiting for a signal:
     * like a wait that ends by its time limit, it may be found from both sides. Repetitions are possible. */
    bool loose;
};

static inline int optimal_follow(struct optimal *o, const struct wakeup_step *n)
{
    o->expected = n->act;
    o->expecting = !n->branch && !section_unknown(&n->act);
    return n->pick;
}

/* optimal_share.c: engine_class.portion, save, adopt. */
struct portion_view optimal_portion(struct engine *e);
int optimal_save(struct engine *e, struct work *out);
int optimal_adopt(struct engine *e, struct work *in);
/* What can follow this step of the path is ours alone. Others hear of the execution, of the next place. */
__attribute__((cold)) void optimal_leave_path(struct engine *e, uint32_t step);
__attribute__((cold)) void optimal_tell_path(struct engine *e);
__attribute__((cold)) void optimal_tell_place(struct engine *e);
/* A choice that the path does not know of. False: it must be left there. */
bool optimal_put_choice(struct engine *e, uint32_t step, int values);

#endif
