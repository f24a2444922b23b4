/* A worker that died in the middle of an execution: that is a finding too, made by the host from what
 * the worker left in its region. */
#ifndef HOST_DEATH_H
#define HOST_DEATH_H

#include "host/region.h"

/* `status` as from waitpid; `hung`: we killed it because it made no progress. */
void death_record(struct region *r, int status, int hung);

/* The program wrote over the region: the worker's results are lost, that much is sure. */
void death_overwritten(struct region *r);

/* "was killed by SIGSEGV", "ended with status 3". */
void death_words(int status, char *out, size_t size);

#endif
