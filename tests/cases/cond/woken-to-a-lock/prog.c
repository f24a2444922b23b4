/* When main has returned, threads that wait for work are no deadlock; one that was signalled is
 * not such a one: it waits for the mutex, whose holder never goes on. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t never, waiting;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    sem_post(&waiting);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *signal_and_stay(void *arg)
{
    sem_wait(&waiting); /* it has the mutex until it waits */
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    sem_wait(&never);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, signal_and_stay, NULL);
    return 0;
}
