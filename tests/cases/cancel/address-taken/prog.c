/* What the program imports is seen also where it calls a function and takes its address, too. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int v;

static void *counts(void *unused)
{
    atomic_fetch_add(&v, 1);
    pthread_testcancel();
    atomic_fetch_add(&v, 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, counts, NULL);
    int (*volatile cancel)(pthread_t) = pthread_cancel;
    if (pthread_cancel == cancel)
        pthread_cancel(t);
    pthread_join(t, NULL);
    raddle_assert(v == 3); // BUG
    return 0;
}
