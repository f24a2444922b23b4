/* N philosophers who take their own fork first, two meals each. */
#include <pthread.h>

pthread_mutex_t forks[N];

static void *philosopher(void *arg)
{
    int i = (int)(long)arg, left = (i + N - 1) % N;
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&forks[i]);
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_unlock(&forks[left]);
        pthread_mutex_unlock(&forks[i]);
    }
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
