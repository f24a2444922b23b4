/* Correct: two opposite transfers neither deadlock nor lose money. raddle run says safe. */
#include "account.h"
#include "ledger.h"

#include <assert.h>

static struct account a, b;

static void *a_to_b(void *arg)
{
    account_transfer(&a, &b, 10);
    assert(ledger_entries_of_thread() == 1);
    return arg;
}

static void *b_to_a(void *arg)
{
    account_transfer(&b, &a, 5);
    assert(ledger_entries_of_thread() == 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    account_open(&a, 100);
    account_open(&b, 100);
    pthread_create(&t[0], NULL, a_to_b, NULL);
    pthread_create(&t[1], NULL, b_to_a, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(account_total(&a, &b) == 200);
    assert(ledger_entries() == 2 && ledger_entries_of_thread() == 0);
    return 0;
}
