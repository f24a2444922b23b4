/* What an atomic section touches. To the engines that move events around a section is one event: it is
 * dependent with whatever one of its accesses is dependent with. Its act has the role SECTION and, in place
 * of the object, its accesses; none: it was never performed like this, and may touch any memory.
 *
 * Equal sequences of accesses are the same list, so that acts can be compared. */
#ifndef OBJECT_SECTION_H
#define OBJECT_SECTION_H

#include "object/dependence.h"

struct section {
    const struct section *before; /* the access before this one, NULL = it is the first */
    struct section *longer, *next; /* those with one more access; the next of these */
    uint64_t object;
    uint32_t size;
    uint8_t role;  /* READ or WRITE */
    bool reads;    /* what comes later may depend on what was there */
};

enum { SECTION_OBJECT = 1 }; /* its other object: it touches more than one */

static inline const struct section *section_of(const struct act *a)
{
    return (const struct section *)(uintptr_t)a->object;
}

static inline struct act section_act(const struct section *s, unsigned thread)
{
    return (struct act){.object = (uintptr_t)s, .object2 = SECTION_OBJECT, .size = 1,
                        .thread = (uint8_t)thread, .role = ROLE_SECTION, .role2 = ROLE_NONE,
                        .kind = EV_SECTION};
}

/* Is it a section of which is not known what it touches? */
static inline bool section_unknown(const struct act *a)
{
    return a->role == ROLE_SECTION && !a->object;
}

/* One of the two is a section. */
bool section_dependent(const struct act *a, const struct act *b);

/* Would the section, which came after `first`, certainly touch the same if it came before it? */
bool section_certain(const struct section *s, const struct act *first);

/* The one of the lists with one more access that ends with this one, or s if it touches that already;
 * NULL: there is none yet. */
const struct section *section_with(const struct section *s, uint64_t object, uint32_t size, int role,
                                   bool reads);

#endif
