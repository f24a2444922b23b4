/* Counts transfers, over all threads and in the calling thread. A shared library in all the builds
 * here, with a global and a thread-local variable of its own. */
#ifndef LEDGER_H
#define LEDGER_H

void ledger_record(int amount);
int ledger_entries(void);
int ledger_entries_of_thread(void);

#endif
