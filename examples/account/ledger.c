#include "ledger.h"

#include <stdatomic.h>

static atomic_int entries;
static _Thread_local int entries_of_thread;

void ledger_record(int amount)
{
    if (amount == 0)
        return;
    atomic_fetch_add(&entries, 1);
    entries_of_thread++;
}

int ledger_entries(void)
{
    return atomic_load(&entries);
}

int ledger_entries_of_thread(void)
{
    return entries_of_thread;
}
