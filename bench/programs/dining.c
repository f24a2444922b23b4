/* N philosophers who take the lower fork first: no deadlock, 2^N - 2 traces. */
#include <pthread.h>

pthread_mutex_t forks[N];
int meals[N];

static void *philosopher(void *arg)
{
    int i = (int)(long)arg, j = (i + 1) % N, low = i < j ? i : j, high = i < j ? j : i;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    meals[i]++;
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
