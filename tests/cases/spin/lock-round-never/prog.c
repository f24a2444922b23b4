/* Nobody will ever set what it looks for under the mutex. Meanwhile others use that, too. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *waits(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int ok = ready;
        pthread_mutex_unlock(&m);
        if (ok == 3)
            return NULL;
    }
}

static void *adds(void *arg)
{
    pthread_mutex_lock(&m);
    ready++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, adds, NULL);
    pthread_create(&v, NULL, adds, (void *)1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
    return 0;
}
