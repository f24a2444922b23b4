/* A thread looks under the mutex until something is ready, which another ends meanwhile. */
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
    pthread_mutex_destroy(&m);
    pthread_join(t, NULL);
    return 0;
}
