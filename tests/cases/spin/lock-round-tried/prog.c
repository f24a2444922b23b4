/* A thread looks under the mutex until something is ready. That it has the mutex now and then is noticed by
 * one who does not wait for it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int ok = ready;
        pthread_mutex_unlock(&m);
        if (ok)
            return NULL;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    assert(pthread_mutex_trylock(&m) == 0); /* BUG */
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
