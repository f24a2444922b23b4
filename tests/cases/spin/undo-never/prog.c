/* Announces itself and takes it back for ever, since nobody sets the flag. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, ready;

static void *waiter(void *arg)
{
    for (;;) {
        atomic_fetch_add(&waiting, 1);
        if (ready)
            return arg;
        atomic_fetch_sub(&waiting, 1);
    }
}

static void *other(void *arg)
{
    if (waiting)
        ready = 1; /* only who was there already */
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
