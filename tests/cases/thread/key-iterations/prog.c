/* Destructors of thread-specific data that set it again are called again, four times at most; keys
 * without a destructor, deleted ones, values of NULL. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t key, plain, deleted;
static int calls, wrong;

static void destroy(void *value)
{
    calls++;
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, value);
}

static void never(void *value)
{
    wrong++;
}

static void *work(void *arg)
{
    pthread_setspecific(key, &calls);
    pthread_setspecific(plain, &calls);
    pthread_setspecific(deleted, &calls);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&plain, NULL) == 0);
    assert(pthread_key_create(&deleted, never) == 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_key_delete(deleted);
    pthread_join(t, NULL);
    assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(pthread_setspecific(deleted, &t) == EINVAL || wrong == 0);
    return 0;
}
