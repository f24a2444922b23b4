/* The state of a ledger as bytes, so that who joins late need not read a job's whole log, and what all
 * have read can be taken out of it: from here on the same messages lead to the same state as if all had
 * been applied, down to the numbers of the grove's nodes and the order in which these are used again.
 *
 * Written and read by the same functions (struct passage), so one cannot forget what the other knows. What is
 * read is data of a stranger: it is taken as a whole or refused. */
#ifndef FARM_SNAPSHOT_H
#define FARM_SNAPSHOT_H

#include "farm/ledger.h"

/* Bytes being written, or read: each value goes one way or the other. */
struct passage {
    struct work *bytes;
    bool writing;
};
void pass(struct passage *p, uint64_t *value, uint64_t most); /* more than that is not well-formed */
void pass_small(struct passage *p, uint32_t *value, uint32_t most);
bool pass_more(struct passage *p, bool more); /* does something follow? */

void snapshot_write(struct work *to, const struct ledger *l);
/* Into a ledger that ledger_init has left; -1: not well-formed, and l is to be freed. */
int snapshot_read(struct ledger *l, struct work *in);

/* snapshot_grove.c */
void snapshot_grove(struct passage *p, struct grove *g, uint64_t memory);

#endif
