#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <errno.h>
#include <semaphore.h>

sem_t s;
atomic_int got;

static void *work(void *arg)
{
    if (sem_trywait(&s) == 0) {
        atomic_fetch_add(&got, 1);
        sem_post(&s);
    } else {
        assert(errno == EAGAIN);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(got == 2); /* BUG */
    return 0;
}
