/* Steps in the model, from the state that the search looks at, and back: of walk.c. */
#ifndef EXPLORE_MATCH_WALK_STEP_H
#define EXPLORE_MATCH_WALK_STEP_H

#include "explore/match/walk.h"

struct walk_undo {
    struct match_place *place;
    struct match_local *local;
};

enum walk_taken { TAKEN, NOT_KNOWN, NO_ROOM };

void walk_first_marking(struct match_walk *w);
/* NOT_KNOWN: the step is the last of the tail. */
enum walk_taken walk_go(struct match_walk *w, int t, unsigned branch);
/* Threads whose next step concerns only themselves take it, until there is none or they have gone round in
 * a circle. */
enum walk_taken walk_settle(struct match_walk *w);
/* Back to the state that is looked at, which had so many threads. */
void walk_take_back(struct match_walk *w, int threads);

/* Somebody has ended the program. */
bool walk_stopped(const struct match_model *m);
bool walk_concerns_itself(struct match_model *m, const struct match_local *l);
/* A thread whose next step concerns only itself, or -1. */
int walk_alone(struct match_model *m, const struct match_marking *k);

#endif
