/* A mutex is destroyed while another thread may still come to lock it. If it comes too late that is a
 * misuse; if it comes first, main destroys a mutex that is free again, and the assertion fails.
 * Both are to be found. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int came;

static void *locker(void *arg)
{
    pthread_mutex_lock(&m);
    __atomic_store_n(&came, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, locker, NULL);
    pthread_mutex_destroy(&m);
    assert(!__atomic_load_n(&came, __ATOMIC_SEQ_CST)); /* BUG */
    pthread_join(t, NULL);
    return 0;
}
