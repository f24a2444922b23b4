/* The calls are ordered by a lock, but the result is read after it: the other thread may have put its own
 * there. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seconds[2];

static void *converts(void *arg)
{
    time_t when = (time_t)(long)arg;
    pthread_mutex_lock(&lock);
    struct tm *result = gmtime(&when);
    pthread_mutex_unlock(&lock);
    seconds[when] = result->tm_sec; /* RACE */
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, converts, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
