/* Destroyed, or with an argument initialised again, while a thread waits on it. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_mutex_lock(&m);
    if (argc > 1)
        pthread_cond_init(&c, NULL);
    else
        pthread_cond_destroy(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
