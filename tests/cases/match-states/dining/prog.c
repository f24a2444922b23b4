/* Ten philosophers who never stop eating. The last one takes the other fork first, unless told not to. */
#include <pthread.h>

#define N 10
static pthread_mutex_t forks[N];

static void *philosopher(void *arg)
{
    long i = (long)arg;
    pthread_mutex_t *one = &forks[i], *other = &forks[(i + 1) % N];
#ifndef CYCLE
    if (i == N - 1) {
        one = &forks[0];
        other = &forks[N - 1];
    }
#endif
    for (;;) {
        pthread_mutex_lock(one);
        pthread_mutex_lock(other);
        pthread_mutex_unlock(other);
        pthread_mutex_unlock(one);
    }
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    pthread_join(t[0], NULL);
}
