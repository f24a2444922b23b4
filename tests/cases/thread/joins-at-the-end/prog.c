/* The last thing this thread did on its own was to take a lock, but what it waits for is a
 * thread of a pool: no deadlock when main returns. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;
static pthread_t pool;

static void *wait_for_work(void *arg)
{
    sem_wait(&work);
    return arg;
}

static void *join_pool(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_join(pool, NULL);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&pool, NULL, wait_for_work, NULL);
    pthread_create(&t, NULL, join_pool, NULL);
    return 0;
}
