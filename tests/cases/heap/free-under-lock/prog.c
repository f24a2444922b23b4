#include <pthread.h>
#include <stdlib.h>

/* No data race: both hold the lock. Whoever comes second finds the block freed or has it freed. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *p;

static void *user(void *arg)
{
    pthread_mutex_lock(&lock);
    *p = 5; /* BUG */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, NULL, user, NULL);
    pthread_mutex_lock(&lock);
    free(p);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
