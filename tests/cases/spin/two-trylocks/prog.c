/* Waits for one of two mutexes to become free. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *arg)
{
    while (pthread_mutex_trylock(&m) && pthread_mutex_trylock(&n))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_create(&t, NULL, taker, NULL);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
