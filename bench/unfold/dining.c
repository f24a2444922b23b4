/* Dining (table 8.1): N philosophers eat twice; each takes fork i, then fork i - 1. They can deadlock. */
#include <pthread.h>

pthread_mutex_t fork_[N];

static void *eat_twice(void *arg)
{
    int i = (int)(long)arg;
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&fork_[i]);
        pthread_mutex_lock(&fork_[(i + N - 1) % N]);
        pthread_mutex_unlock(&fork_[(i + N - 1) % N]);
        pthread_mutex_unlock(&fork_[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t, NULL, eat_twice, (void *)i);
    pthread_exit(NULL);
}
