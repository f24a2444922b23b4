/* A parallel sum: the threads read what they need without a lock and add their part under one. N! traces. */
#include <pthread.h>
#include <stdatomic.h>

_Atomic int steps = 4, threads = N;
pthread_mutex_t object;
pthread_mutex_t *_Atomic lock = &object;
_Atomic int sum;

static void *work(void *arg)
{
    int part = 0;
    for (int i = (int)(long)arg; i < steps; i += threads)
        part += i;
    pthread_mutex_t *m = lock;
    pthread_mutex_lock(m);
    sum = sum + part;
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
