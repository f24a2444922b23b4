/* Whether a thread is cancelled depends on an input. */
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
    int x = raddle_input_int("x", 0, 3);
    pthread_create(&t, NULL, counts, NULL);
    if (x == 2)
        pthread_cancel(t);
    pthread_join(t, NULL);
    raddle_assert(v == 3); // BUG
    return 0;
}
