/* Wrong, in one of a handful of interleavings: an audit during a transfer sees money appear. It
 * takes a rare moment to go wrong by itself; raddle run finds it at once. */
#include "account.h"

#include <raddle.h>

static struct account a, b;

static void *transfer(void *arg)
{
    account_transfer(&a, &b, 10);
    return arg;
}

int main(void)
{
    pthread_t t;
    account_open(&a, 100);
    account_open(&b, 100);
    pthread_create(&t, NULL, transfer, NULL);
    int total = account_total(&a, &b);
    raddle_note("the audit sees %d", total);
    raddle_assert(total == 200);
    pthread_join(t, NULL);
    return 0;
}
