/* One run of the system, at random or as the user chooses, with its chart. */
#ifndef MODEL_SIMULATE_H
#define MODEL_SIMULATE_H

#include "model/sys.h"

/* seed < 0: from the clock. Returns the exit status. */
int simulate(const struct sys *s, long long seed, long long steps, int guided);

#endif
