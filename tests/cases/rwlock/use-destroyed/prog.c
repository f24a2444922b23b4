#include <pthread.h>

/* The writer may come after it was destroyed. */
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg)
{
    pthread_rwlock_wrlock(&l); /* BUG */
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_destroy(&l);
    pthread_join(t, NULL);
    return 0;
}
