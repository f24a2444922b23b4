/* A writer gets the lock between two readers, of whom the first comes before the second in every
 * order that leads there: an attempt to write failed because of the first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
atomic_int inside, met;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    inside = 1;
    inside = 0;
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *tries_then_reads(void *arg)
{
    if (pthread_rwlock_trywrlock(&l)) {
        if (inside)
            met = 1;
        pthread_rwlock_rdlock(&l);
        met = 0;
    }
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    assert(!met); /* BUG */
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, tries_then_reads, NULL);
    pthread_create(&c, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
