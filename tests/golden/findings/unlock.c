#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int jobs;
static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    jobs++;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    if (jobs)
        pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m); /* CHANGE */
    pthread_join(t, NULL);
    return 0;
}
