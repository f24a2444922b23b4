/* The state of an object while an execution is recorded, as far as reachability testing needs it:
 * who holds a lock, who waits where, how many tokens a semaphore had. */
#ifndef EXPLORE_REACH_STATE_H
#define EXPLORE_REACH_STATE_H

#include "explore/reach/reach_record.h"

/* Of the execution under way; `own` is the object's place in names[]. */
struct reach_object_state *reach_state_of(struct reach_record *r, uint32_t own);

/* What is open at a receiving event, from the state of the object before it. */
uint8_t reach_open_list(const struct reach_object_state *s, const struct event *ev);

/* Thread t has performed ev. */
void reach_follow(struct reach_record *r, struct reach_object_state *s, const struct event *ev,
                  struct reach_thread *t);

/* 1 + the initial tokens of a semaphore; 0 if they are not known, since it was given another value in
 * between. */
uint32_t reach_count_tokens(struct reach_object_state *s, const struct event *ev);

#endif
