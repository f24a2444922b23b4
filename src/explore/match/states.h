/* The states that a search has found, numbered in the order in which it found them (breadth first), and the
 * steps between them. A state is known by 128 bits of a hash of its marking; how to get there by the state it
 * was first found from. The markings themselves are kept only until the search has looked at them. */
#ifndef EXPLORE_MATCH_STATES_H
#define EXPLORE_MATCH_STATES_H

#include "explore/match/model.h"

struct match_edge {
    uint32_t to;
    uint16_t thread;
    uint16_t branch : 15, own : 1; /* own: it concerns nobody but its thread */
};

struct match_step {
    uint16_t thread, branch, branches; /* branches 0: nothing was to be chosen */
    uint16_t local : 1; /* not a decision: what its thread does by itself */
    uint16_t more : 15; /* as many of the same after it, in what is kept of a state */
};

struct match_found {
    uint64_t hash[2];
    union {
        uint64_t places; /* hash of the objects alone */
        uint64_t asleep; /* or, with sleep sets: threads */
    };
    uint32_t from;  /* the first one: itself */
    uint32_t steps; /* from there: its first in `steps`; they end where those of the next begin */
    uint32_t edges; /* so does this in `edges` */
};

struct match_states {
    struct match_model *model;
    struct match_found *found; /* [count] */
    struct match_edge *edges;  /* [edge_count]; none with sleep sets */
    struct match_step *steps;  /* [step_count] */
    uint32_t *index;           /* [index_room]: number + 1, by hash */
    uint64_t *queue;           /* [queue_start … queue_end): markings that were not looked at yet */
    uint64_t room, edge_room, step_room, queue_room, index_room;
    uint64_t queue_start, queue_end, queue_most;
    uint32_t count, edge_count, step_count;
    uint32_t next; /* the first one in the queue; those below were looked at */
};

enum { MATCH_SLEEPERS = 64 }; /* threads beyond never sleep */

int match_states_init(struct match_states *s, struct match_model *m);
void match_states_reset(struct match_states *s);
/* The state with that hash; UINT32_MAX: there was none, and now there is one, the last: the marking waits in
 * the queue. The steps lead there from the one that is looked at. Memory that does not suffice is
 * model.full. */
uint32_t match_states_add(struct match_states *s, const uint64_t hash[3], const struct match_marking *k,
                          const struct match_step *steps, uint32_t step_count);
void match_states_edge(struct match_states *s, const struct match_edge *e);
/* How to get to the state, into out[], how many; UINT32_MAX: more than `room`. */
uint32_t match_states_way(const struct match_states *s, uint32_t state, struct match_step *out,
                          uint32_t room);
/* The first marking in the queue; false: there is none. And it is done with. */
bool match_states_first(struct match_states *s, struct match_marking *k);
void match_states_done(struct match_states *s);

/* Bytes that it uses of what it has reserved. */
uint64_t match_states_bytes(const struct match_states *s);

#endif
