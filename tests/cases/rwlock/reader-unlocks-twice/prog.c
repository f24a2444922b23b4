/* A reader gives its lock back twice while another reader is inside: that is not his to give. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *twice(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l); /* twice is allowed, and both are given back */
    pthread_create(&t, NULL, twice, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
