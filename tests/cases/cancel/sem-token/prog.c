/* A thread that is cancelled in sem_wait has not taken the token. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *waiter(void *arg)
{
    sem_wait(&s);
    return NULL;
}

int main(void)
{
    pthread_t a;
    void *result;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, waiter, NULL);
#ifdef BEFORE
    pthread_cancel(a);
    sem_post(&s);
#else
    sem_post(&s);
    pthread_cancel(a);
#endif
    pthread_join(a, &result);
    sem_getvalue(&s, &value);
    assert(value == (result == PTHREAD_CANCELED));
#ifdef ALWAYS
    assert(result == PTHREAD_CANCELED); /* BUG */
#endif
    return 0;
}
