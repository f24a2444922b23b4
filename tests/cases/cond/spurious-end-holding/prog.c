/* A thread that waits may wake up by itself before it is signalled; the one that signals ends holding
 * the mutex, so only then does the waiter get on. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int told;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    if (!told) {
        pthread_cond_wait(&c, &m);
        assert(told); // BUG
    }
    pthread_mutex_unlock(&m);
    return unused;
}

static void *teller(void *unused)
{
    pthread_mutex_lock(&m);
    told = 1;
    pthread_cond_broadcast(&c);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, teller, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
