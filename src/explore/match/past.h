/* What an execution has done to its marking, so that the next one, which often begins alike, need not be
 * followed from its start: as far as it is to take the same steps the runtime repeats them (trace.h), and the
 * marking is the one that there was then. */
#ifndef EXPLORE_MATCH_PAST_H
#define EXPLORE_MATCH_PAST_H

#include "explore/match/states.h"

struct past_entry {
    struct match_local *from; /* where its thread was before */
    uint32_t event;
    uint16_t puts;    /* so many of `places` are what was there before */
    uint16_t created; /* threads */
};

struct match_past {
    struct past_entry *entries;  /* [count] */
    struct match_place **places; /* [place_count] */
    uint32_t count, place_count, room;
    bool partly;    /* not all of the execution is in it */
    uint32_t steps; /* that the next execution has in common with the last one … */
    uint32_t known; /* … and events */
    uint32_t planned; /* steps of the plan that these are */
};

/* Room for so many events; what is reserved does not count against the model's limit. -1: no memory. */
int match_past_init(struct match_past *p, struct match_model *m, uint32_t room);

/* The event, of this number, is about to change the marking. */
void match_past_note(struct match_past *p, const struct match_marking *k, uint32_t event,
                     const struct match_local *from, const struct match_effect *e);

/* The next execution is to follow the plan. How much of it did the last one, whose trace this is? */
void match_past_share(struct match_past *p, const struct trace *t, const struct match_step *plan,
                      uint32_t count);
static inline void match_past_forget(struct match_past *p)
{
    p->steps = p->known = p->planned = 0;
}

/* The marking of the last execution becomes that after what both share. */
void match_past_rewind(struct match_past *p, struct match_model *m);

#endif
