/* Numbers of objects and threads for reachability testing: dense, and the same in every execution. An
 * object is its address, a thread its creator's k-th child. Things that are one object only because of
 * how the program uses them (a condition and its mutex, words accessed together) are found out on the
 * way; if that is too late for what was said about them before, the search begins anew. */
#ifndef EXPLORE_REACH_NAMES_H
#define EXPLORE_REACH_NAMES_H

#include "explore/reach/reach_record.h"
#include "trace/work.h"

/* The number of the synchronization object at an address. */
uint32_t reach_name(struct reach_record *r, uint64_t address);

/* Is it known that somebody may cancel its thread, and could that end the operation? */
bool reach_can_be_cancelled(struct reach_record *r, const struct event *op);

/* Thread `number` is the nth child of its parent. */
void reach_name_child(struct reach_record *r, uint16_t parent, uint16_t nth, uint16_t number);

/* What earlier searches have found out (r->lessons) holds from the start. */
void reach_names_learn(struct reach_record *r);

/* From now on reads of variables are ordered like writes: a lesson. */
void reach_order_reads(struct reach_record *r);
/* … compare-exchanges are writes, even if they fail. */
void reach_order_exchanges(struct reach_record *r);

/* All numbers given out so far, for another worker; get takes them in the place of its own (-1: they
 * are not well-formed). */
void reach_names_put(const struct reach_record *r, struct work *w);
int reach_names_get(struct reach_record *r, struct work *w);

/* Threads that run the same function of the list "0x1000,0x2000" are one class; 0: it is not in it. */
uint16_t reach_class_of_function(const char *list, uint64_t function);

#endif
