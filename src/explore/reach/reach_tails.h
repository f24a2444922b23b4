/* Generate-Variants of the earlier algorithm (001_*.txt, section 3.4): all race variants of a sequence,
 * by tail sets. */
#ifndef EXPLORE_REACH_TAILS_H
#define EXPLORE_REACH_TAILS_H

#include "explore/reach/reach_seq.h"

struct reach_tails;

/* One variant: the operations that are in it (alive[k]), and for the receiving events of its tail the
 * sending partner each has now (partner[k]: an operation, or a value, or REACH_ELSE; REACH_NONE where
 * nothing is changed). */
typedef void reach_tails_fn(void *context, const struct reach_seq *q, const uint8_t *alive,
                            const uint32_t *partner);

/* Calls `each` once for every variant. The race sets must be complete (no colours, nothing old). At most
 * `limit` variants; returns how many there were. `scratch` has room for `size` bytes;
 * *cut: that, or the room for a tail, was too small, and variants are missing. */
uint64_t reach_tails(const struct reach_seq *q, uint64_t limit, char *scratch, size_t size,
                     reach_tails_fn *each, void *context, bool *cut);

#endif
