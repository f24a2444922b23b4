/* How a search went along: its executions and what it took for the whole, against time. A few
 * hundred samples, however long it takes: when they are full, every second one is dropped. */
#ifndef HOST_PACE_H
#define HOST_PACE_H

#include "base/sbuf.h"

#include <stddef.h>
#include <stdint.h>

struct pace_sample {
    double seconds;
    uint64_t executions;
    double estimate, spread; /* of all executions; 0 = unknown */
};

enum { PACE_SAMPLES = 200 };

struct pace {
    struct pace_sample samples[PACE_SAMPLES];
    int count;
    double every; /* seconds between two of them */
};

void pace_note(struct pace *p, struct pace_sample now);      /* kept if it is time for one */
void pace_note_last(struct pace *p, struct pace_sample now); /* kept in any case */

/* ", about 3 min left", ", at most 20 s left"; nothing if it cannot be said. `budget` is what is
 * left of the time the search was given, negative if it has all the time. */
void pace_left(const struct pace *p, struct pace_sample now, double budget, char *out, size_t room);

#endif
