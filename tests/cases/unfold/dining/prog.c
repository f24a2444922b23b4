/* Philosophers who eat twice and all take the fork at their left first. */
#include <pthread.h>

enum { N = 4 };
pthread_mutex_t fork_of[N];

static void *eat(void *arg)
{
    int left = (int)(long)arg, right = (left + N - 1) % N;
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&fork_of[left]);
        pthread_mutex_lock(&fork_of[right]); /* BUG */
        pthread_mutex_unlock(&fork_of[right]);
        pthread_mutex_unlock(&fork_of[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_of[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t, NULL, eat, (void *)i);
    pthread_exit(NULL);
}
