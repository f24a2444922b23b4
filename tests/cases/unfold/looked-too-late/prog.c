/* Who looks at a semaphore before another thread takes its token, and at x after that thread has gone on: an
 * execution in which the token is gone already cannot be led there any more. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t token, other;
static atomic_int x, y;

static void *exchanges(void *arg)
{
    struct timespec at = {0, 0};
    int one = 1;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 10;
    sem_timedwait(&other, &at);
    atomic_compare_exchange_strong(&y, &one, 0);
    return arg;
}

static void *takes(void *arg)
{
    sem_trywait(&token);
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_init(&token, 0, 1);
    sem_init(&other, 0, 2);
    pthread_create(&t, NULL, exchanges, NULL);
    pthread_create(&t, NULL, takes, NULL);
    sem_getvalue(&token, &value);
    int seen = atomic_load(&x);
    assert(!(value == 1 && seen == 1)); /* BUG */
    pthread_exit(NULL);
}
