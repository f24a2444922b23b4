/* Locking (table 8.1): threads with one or two critical sections of one lock. ONCE of the N threads have one.
 * With TURNS = 1 it is Parallel Pi: everybody adds once. */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *work(void *arg)
{
    for (long k = 0; k < (long)arg; k++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < N; i++)
        pthread_create(&t, NULL, work, (void *)(i < ONCE ? 1l : 2l));
    pthread_exit(NULL);
}
