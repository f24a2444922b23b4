/* Locking a mutex again that one holds concerns nobody else: not even who tries to lock it then. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *relocks(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *tries(void *unused)
{
    if (!pthread_mutex_trylock(&m))
        pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, relocks, NULL);
    pthread_create(&t[1], NULL, tries, NULL);
    pthread_create(&t[2], NULL, tries, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
