#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Atomic for one thread only. */
atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    memset(&x, 0, sizeof x);
    pthread_join(t, NULL);
    return 0;
}
