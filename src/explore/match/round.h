/* Livelocks, in the finished graph of states: a circle that a fair scheduler can go round for ever
 * (whoever can go on again and again does go on in it), in which no thread makes progress. That is certain
 * where
 *
 *   nothing but the places of threads changes: they look at what nobody will change, or
 *   every thread in the circle ends in some execution, so it is meant to, and in this one it does not.
 *
 * A thread that goes round in what nobody else touches does so for ever, unless it chooses on the way.
 *
 * A circle of threads that never end and do change something may be what the program is for: no finding. */
#ifndef EXPLORE_MATCH_ROUND_H
#define EXPLORE_MATCH_ROUND_H

#include "explore/match/walk.h"

struct match_round {
    uint32_t start;           /* a state of the circle */
    struct match_edge *steps; /* [count]: from there back to there */
    uint32_t count;
};

/* One that was not given out before. False: there is none (or model.full). */
bool match_round_next(struct match_walk *w, struct match_round *out);

#endif
