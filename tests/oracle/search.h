/* search.h — all states of a program, and what it can come to. */
#ifndef ORACLE_SEARCH_H
#define ORACLE_SEARCH_H

#include "program.h"

struct verdict {
    char **outcome; /* sorted, each once */
    int outcomes, states;
    double
        paths; /* from the start to an end: what an exploration without reduction is up against */
    bool deadlock;
    bool livelock_sure;     /* a state from which no end can be reached any more */
    bool livelock_possible; /* a fair cycle */
    bool undefined;         /* the program is not a valid one */
    bool too_large;
};

/* free: also with what POSIX allows but raddle says it does not do. */
void search(const struct program *p, int max_states, bool free, struct verdict *v);
void verdict_free(struct verdict *v);

/* How many of its interleavings differ by more than the order of steps that can be exchanged
 * (traces.c); -1: there are more than max_paths. */
int count_traces(const struct program *p, int max_paths);

#endif
