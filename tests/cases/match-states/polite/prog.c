/* Two who give way to each other when they cannot have both locks: in lock step they do so for ever. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    while (pthread_mutex_trylock(other)) {
        pthread_mutex_unlock(one);
        pthread_mutex_lock(one);
    }
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void *first(void *arg)
{
    take_both(&a, &b);
    return NULL;
}

static void *second(void *arg)
{
    take_both(&b, &a);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
