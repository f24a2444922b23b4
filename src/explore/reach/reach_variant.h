/* What becomes of operations in the variant of a row: for those who put it in order
 * (reach_derive.c) and make a plan of it (reach_plan.c). */
#ifndef EXPLORE_REACH_VARIANT_H
#define EXPLORE_REACH_VARIANT_H

#include "explore/reach/reach_table.h"

enum reach_state { GONE, KEPT, CHANGED, VISITED, PLACED };

#define FOR_CHANGES(t, c)                                                                          \
    for (const struct reach_change *c = (t)->changed; c < (t)->changed + (t)->changes; c++)

static inline const struct reach_change *reach_change_at(const struct reach_table *t, uint32_t k)
{
    FOR_CHANGES (t, c)
        if (c->event == k)
            return c;
    return NULL;
}

/* Is the sending event of operation k removed, since a changed event happens before it? The
 * receiving event? */
bool reach_call_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k);
bool reach_event_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k);
/* Is the sending event of a receiving event gone? For a receive that is the send it received from. */
bool reach_unmatched(const struct reach_seq *q, const struct reach_table *t, uint32_t k);
/* Is the change a compare-exchange that failed and is to succeed? */
bool reach_wins(const struct reach_seq *q, const struct reach_change *c);

#endif
