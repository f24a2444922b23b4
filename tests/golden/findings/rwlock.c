#include <pthread.h>
#include <assert.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static struct { int hits; int misses; } cache;
static void *reader(void *p)
{
    pthread_rwlock_rdlock(&l);
    cache.hits++; /* CHANGE */
    pthread_rwlock_unlock(&l);
    return NULL;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, reader, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(cache.hits == 3);
}
