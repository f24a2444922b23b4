/* One condition variable waited on with two mutexes, which POSIX leaves undefined; nobody signals. The
 * search comes to an end. */
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&c, mutex);
    pthread_mutex_unlock(mutex);
    return mutex;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, wait, &m[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
