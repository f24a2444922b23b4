#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <errno.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
atomic_int readers, writers;

static void *first(void *arg)
{
    int status = pthread_rwlock_trywrlock(&l);
    assert(status == 0 || status == EBUSY);
    if (status == 0) {
        atomic_fetch_add(&writers, 1);
        assert(readers == 0);
        atomic_fetch_sub(&writers, 1);
        pthread_rwlock_unlock(&l);
    }
    return NULL;
}

static void *second(void *arg)
{
    if (pthread_rwlock_tryrdlock(&l) == 0) {
        atomic_fetch_add(&readers, 1);
        assert(writers == 0);
        atomic_fetch_sub(&readers, 1);
        pthread_rwlock_unlock(&l);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
