// A reader writes x after it has given the lock back; the writer that comes then is ordered after the
// unlock, but not after that write.
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    x = 1; // FIRST
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&rw);
    x = 2; // BUG
    pthread_rwlock_unlock(&rw);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return x > 2;
}
