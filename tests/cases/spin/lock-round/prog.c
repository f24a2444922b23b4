/* Two threads look whether something is ready, each time under the mutex, and give way; four threads fill
 * an array of which a fifth looks, too, whether it is full. Rounds that find nothing did not happen. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, filled[3];

static void *waits(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int ok = ready;
        pthread_mutex_unlock(&m);
        if (ok)
            return NULL;
        sched_yield();
    }
}

static int is_full(void)
{
    for (int i = 0; i < 3; i++)
        if (!filled[i])
            return 0;
    return 1;
}

static void *waits_for_all(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (is_full()) {
            ready = 1;
            pthread_mutex_unlock(&m);
            return NULL;
        }
        pthread_mutex_unlock(&m);
    }
}

static void *fills(void *arg)
{
    pthread_mutex_lock(&m);
    filled[(long)arg] = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, waits, (void *)1);
    pthread_create(&t[2], NULL, waits_for_all, NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[3 + i], NULL, fills, (void *)i);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    pthread_mutex_destroy(&m);
    return 0;
}
