/* A reader locks again while a writer waits: of a lock that prefers writers it never comes in. */
#include <pthread.h>
#include <time.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif

static pthread_rwlock_t l;
static int x;

static void *writer(void *arg)
{
#ifdef TIMED
    struct timespec until = {0};
    if (pthread_rwlock_timedwrlock(&l, &until))
        return NULL;
#else
    pthread_rwlock_wrlock(&l);
#endif
    x++;
    pthread_rwlock_unlock(&l);
    return NULL;
}

static int read_twice(void)
{
    pthread_rwlock_rdlock(&l);
    int a = x;
    pthread_rwlock_rdlock(&l); /* BUG */
    a -= x;
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_rwlockattr_t a;
    pthread_rwlockattr_init(&a);
    pthread_rwlockattr_setkind_np(&a, KIND);
    pthread_rwlock_init(&l, &a);
    pthread_create(&t, NULL, writer, NULL);
    int difference = read_twice();
    pthread_join(t, NULL);
    return difference;
}
