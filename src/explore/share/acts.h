/* Acts by number: trees have many nodes and few different acts. The table only grows; numbers are never
 * given twice. It can lie in memory where others read items while one adds to them, and may die while it
 * does: slots can be made again from the items, which an htable of hashes could not. */
#ifndef EXPLORE_ACTS_H
#define EXPLORE_ACTS_H

#include "object/dependence.h"

enum { ACTS_ROOM = 1 << 22 };

/* All of it zero at first; sparse. */
struct acts {
    uint32_t count;
    uint32_t used; /* slots in use as a hash table, a power of two, at least twice the count */
    uint32_t slots[2 * ACTS_ROOM]; /* number + 1 */
    struct act items[ACTS_ROOM];
};

uint32_t acts_hash(const struct act *a);
bool acts_same(const struct act *a, const struct act *b);
#define ACTS_NONE 0xffffffffu
uint32_t acts_find(const struct acts *t, const struct act *a); /* its number, or none */
uint32_t acts_number(struct acts *t, const struct act *a);
void acts_rebuild(struct acts *t); /* whoever added last may have died */

#endif
