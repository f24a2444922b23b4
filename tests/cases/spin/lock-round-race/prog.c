/* A thread looks under the mutex until there is a 7. Before it comes somebody writes, without the mutex, the
 * value that is there already: no round changes what it does, and yet this is a data race. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value = 5;

static void *waits(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int now = value;
        pthread_mutex_unlock(&m);
        if (now == 7)
            return NULL;
    }
}

static void *writes(void *arg)
{
    value = 5; /* BUG */
    pthread_mutex_lock(&m);
    value = 7;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, writes, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
