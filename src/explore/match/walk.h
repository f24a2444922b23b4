/* The search in the model: breadth first over its markings (figure 7.5, in which it is depth first: so the
 * ways to states are the shortest), without running the program as long as the model knows what happens.
 * Where it does not, it says which steps lead there; when an execution has gone that way, the search goes on.
 *
 * A step of a thread that concerns only itself, or objects that no other thread has touched in any execution,
 * is taken at once and alone: nobody could notice when it comes. If another thread turns out to touch such an
 * object, the markings are found again, in the model that is there. Where such steps lead round in a circle,
 * the others take theirs too.
 *
 * Unless the whole graph is wanted, steps are left out that lead to states which are found in another order
 * of the same steps anyway: with sleep sets (section 8.3.3; P. Godefroid, "Partial-Order Methods for the
 * Verification of Concurrent Systems"). */
#ifndef EXPLORE_MATCH_WALK_H
#define EXPLORE_MATCH_WALK_H

#include "explore/match/states.h"

struct walk_undo;

enum walk_answer {
    WALK_DONE,    /* all markings were found */
    WALK_EXECUTE, /* the program must be run, along plan[] */
    WALK_FULL,    /* no memory left */
    WALK_PAUSED,  /* it was told to stop */
    WALK_ENOUGH,  /* it has found as many markings as it was to */
    WALK_LOST,    /* an execution did not show what it was run for */
};

struct match_walk {
    bool goes_alone; /* threads can go round for ever in what nobody else touches */
    struct match_model *model;
    struct match_states states;
    struct walk_undo *undo; /* [undo_count]: what the steps from the state that is looked at have changed */
    uint32_t undo_count, undo_room, depth_room;
    uint64_t hash[3]; /* of the marking: two of all, one of the objects alone */
    bool sleeps;      /* with sleep sets: */
    uint64_t done;    /* threads whose steps need not be taken after those of others */
    bool alone;       /* where walk_settle ended a thread is to go on alone: it chooses, or goes round */
    uint64_t most;    /* markings that it is to find */
    uint64_t transitions, transitions_from; /* taken, and before that state was looked at */
    bool ends;       /* nothing leads on from the state that is looked at */
    uint64_t finals; /* such states */
    bool fresh;      /* a step from the state that is looked at led to a new one */
    uint64_t *shown; /* [shown_count]: deadlocks and races that were executed */
    uint32_t shown_count;
    struct match_step *tail; /* [tail_count]: the steps from that state */
    uint32_t tail_count, edges_from; /* and where those that lead on from it begin */
    uint32_t *way;
    struct match_step *plan; /* [plan_count] */
    uint32_t plan_count;
    uint64_t asked_for; /* a hash of the plan … */
    uint32_t asked;     /* executions in a row that were run for it */
    struct tset ended; /* threads that have ended in some state */
    struct tset endless; /* those that can go round for ever and change something in each round */
    bool races;     /* accesses that race are to be shown */
    int (*go_on)(void); /* engine.go_on; set before each use */
};

int match_walk_init(struct match_walk *w, struct match_model *m, uint32_t depth);
/* From the first marking again. */
void match_walk_restart(struct match_walk *w);
enum walk_answer match_walk_on(struct match_walk *w);

/* The plan is to be executed; unless it was so often that it does not help. */
enum walk_answer match_walk_ask(struct match_walk *w);

/* The plan is the way to a state, then twice these steps, which lead back to it; `begin`: where in the plan
 * each of the two begins. False: that is not so, or no room. */
struct match_round;
bool match_walk_plan_round(struct match_walk *w, const struct match_round *r, uint32_t begin[2]);
/* Is a circle of these threads one that was not shown yet? It is not any more. */
bool match_walk_new_round(struct match_walk *w, const struct tset *threads);

/* Has a deadlock, by its key, or a race of these two not been executed yet? It will be. The key of a deadlock
 * is made of who waits for what, thread by thread, beginning with 1. */
bool match_walk_new_key(struct match_walk *w, uint64_t key);
static inline uint64_t match_walk_wait_key(uint64_t h, int thread, unsigned kind, uint64_t object)
{
    return match_mix(match_mix(match_mix(h, (uint64_t)thread), kind), object);
}
bool match_walk_new_race(struct match_walk *w, const struct event *x, const struct event *y);

/* An execution has ended in a deadlock of these threads. */
void match_walk_saw_deadlock(struct match_walk *w, const struct match_marking *k);

#endif
