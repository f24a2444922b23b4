#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <errno.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

static void *first(void *arg)
{
    struct timespec until = {0, 0};
    int status = sem_timedwait(&s, &until);
    assert(status == 0); /* BUG */
    return NULL;
}

static void *second(void *arg)
{
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
