/* What a search in order of a bound counts of its executions (PLDI 2007, table 1). */
#ifndef EXPLORE_BOUND_STATS_H
#define EXPLORE_BOUND_STATS_H

#include "object/object.h"
#include "trace/shared.h"

/* Can the event make its thread wait: a lock, a join, a barrier, …? */
static inline bool stats_blocks(unsigned kind)
{
    uint8_t follows = operation_of(kind)->follows;
    return operation_is(kind, OP_BLOCKS) || follows == FOLLOWS_THREAD || follows == FOLLOWS_OBJECT ||
           follows == FOLLOWS_GIVER;
}

/* An execution of that bound. */
static inline void stats_count(struct bound_stats *s, const struct trace *t, uint32_t bound)
{
    uint32_t blocking = 0;
    s->executions[bound < BOUND_STATS ? bound : BOUND_STATS - 1]++;
    for (uint32_t i = 0; i < t->event_count; i++)
        blocking += stats_blocks(t->events[i].kind);
    s->blocking = blocking > s->blocking ? blocking : s->blocking;
}

#endif
