/* The happens-before signature of the execution under way: a number that is the same for all
 * interleavings of one Mazurkiewicz trace, so two prefixes with equal signatures lead to the same
 * state (PLDI 2007, section 4.3: it stands for the state, which cannot be captured). 64 bits: two
 * different traces among n have equal signatures with a probability of about n² / 2⁶⁵. */
#ifndef EXPLORE_SIGNATURE_H
#define EXPLORE_SIGNATURE_H

#include "explore/dpor/happens.h"

struct signature {
    struct happens hb;
    uint64_t *sum;    /* [entry]: signature up to and including it */
    uint32_t *steps;  /* [entry]: steps taken when it was observed */
    uint32_t counted; /* entries summed up */
};

int signature_init(struct signature *s, struct engine *e);
void signature_begin(struct signature *s);
void signature_observe(struct signature *s, const struct event *ev);

/* Of everything observed and chosen so far. */
uint64_t signature_now(const struct signature *s);

static inline uint64_t signature_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2));
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
