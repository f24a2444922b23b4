/* Attributes read back; a detached thread cannot be joined, and a joined one not again. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t go;

static void *work(void *arg)
{
    sem_wait(&go);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_attr_t a;
    size_t size;
    int state;
    sem_init(&go, 0, 0);
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_setstacksize(&a, 1 << 17) == 0);
    assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 17);
    assert(pthread_attr_setguardsize(&a, 8192) == 0 && pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setschedpolicy(&a, SCHED_OTHER) == 0);
    assert(pthread_create(&t, &a, work, NULL) == 0);
    assert(pthread_join(t, NULL) == EINVAL && pthread_detach(t) == EINVAL);
    assert(pthread_create(&u, NULL, work, NULL) == 0 && !pthread_equal(t, u));
    sem_post(&go);
    sem_post(&go);
    assert(pthread_join(u, NULL) == 0);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    pthread_attr_destroy(&a);
    return 0;
}
