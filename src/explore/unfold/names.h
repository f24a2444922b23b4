/* Names of threads. The runtime numbers threads in the order in which an execution creates them,
 * which is another one in another interleaving if several threads create some. To the net a thread
 * is the same whenever the same thread has created it as its how-manieth one (section 5.7 of the
 * thesis that net.h names), and so is what lies in memory of its own. Events come with numbers and
 * are put into names here; as long as threads are created in the order of the first execution both
 * are the same. */
#ifndef EXPLORE_UNFOLD_NAMES_H
#define EXPLORE_UNFOLD_NAMES_H

#include "explore/engine.h"

struct unfold_names {
    uint16_t name[EVENT_MAX_THREADS];    /* of the threads of the execution under way, by number */
    uint16_t number[EVENT_MAX_THREADS];  /* the other way round; EVENT_MAX_THREADS: it was not created */
    uint16_t created[EVENT_MAX_THREADS]; /* how many the thread with the name has created */
    uint32_t threads;                    /* of the execution */
    uint32_t moved;                      /* of these, so many have another number than their name */
    uint32_t known;                      /* names in use; of each: */
    uint16_t creator[EVENT_MAX_THREADS], which[EVENT_MAX_THREADS];
};

/* An execution begins: there is only main. */
void unfold_names_begin(struct unfold_names *n);

/* The event creates a thread, with the next number; false: there are too many names. And what was created
 * last was not. */
bool unfold_names_create(struct unfold_names *n, const struct event *create);
void unfold_names_take_back(struct unfold_names *n);

/* The event, or what a thread stands before, in names: itself or in `room`. */
const struct event *unfold_names_event(const struct unfold_names *n, const struct event *ev,
                                       struct event *room);

/* Of n candidates, the threads with these numbers in the order of the runtime, the one that is in
 * place i by their names; those of different groups stay in order. */
int unfold_names_choice(const struct unfold_names *n, const uint16_t *numbers, const uint64_t *groups,
                        int count, int i);

static inline unsigned unfold_names_name(const struct unfold_names *n, unsigned number)
{
    return n->name[number];
}

/* -1: it was not created in this execution. */
static inline int unfold_names_number(const struct unfold_names *n, unsigned name)
{
    return n->number[name] < EVENT_MAX_THREADS ? n->number[name] : -1;
}

#endif
