#define _GNU_SOURCE
/* A lock that prefers writers: tryrdlock fails while a writer waits for another reader. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *other_reader(void *arg)
{
    int status = pthread_rwlock_tryrdlock(&l);
    if (status == 0)
        pthread_rwlock_unlock(&l);
    return (void *)(long)status;
}

int main(void)
{
    pthread_t w, r;
    void *status;
    pthread_rwlock_rdlock(&l);
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, other_reader, NULL);
    pthread_join(r, &status);
    assert(status == 0); /* BUG */
    pthread_rwlock_unlock(&l);
    pthread_join(w, NULL);
    return 0;
}
