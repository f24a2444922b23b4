/* One waits in a loop, taking the lock for each look, for what the other does under the lock: no livelock,
 * if the scheduler is fair. NEVER: nobody does it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *waiter(void *arg)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef NEVER
    if (done)
#endif
        done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, setter, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
