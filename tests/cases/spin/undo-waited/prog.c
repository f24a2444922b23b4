/* A lock is taken and given back for ever, and another thread waits for what its word never is: whether the
 * look finds it taken or free it goes round. That is known of either value only after it was read. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word, enough;

static void *takes(void *arg)
{
    for (;;) {
        while (atomic_exchange(&word, 1))
            ;
        if (enough)
            return arg;
        word = 0;
    }
}

static void *waits(void *arg)
{
    while (word != 2)
        ;
    enough = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, takes, NULL);
    pthread_create(&t[1], NULL, waits, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
