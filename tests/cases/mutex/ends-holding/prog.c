/* A thread forgets to unlock. Nobody else wants the mutex (only tries): a warning. With an argument somebody
 * waits for it, for ever; with two the process ends meanwhile. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *forgets(void *arg)
{
    pthread_mutex_lock(&m);
    return NULL;
}

static void *wants(void *arg)
{
    pthread_mutex_lock(&m); /* BUG */
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, forgets, NULL);
    if (argc > 1)
        pthread_create(&t[1], NULL, wants, NULL);
    pthread_join(t[0], NULL);
    if (argc > 2)
        exit(0);
    if (argc > 1)
        pthread_join(t[1], NULL);
    else
        pthread_mutex_trylock(&m);
    return 0;
}
