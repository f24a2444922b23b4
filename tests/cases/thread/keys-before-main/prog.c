/* A key made before main: values are those of one execution, destructors run at the end of
 * threads, and what main set before main began is there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed, turn;
static int before;

static void destroy(void *value)
{
    free(value);
    atomic_fetch_add(&destroyed, 1);
}

__attribute__((constructor)) static void make(void)
{
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &before);
    assert(pthread_getspecific(key) == &before);
}

static void *work(void *arg)
{
    assert(!pthread_getspecific(key));
    int *mine = malloc(sizeof *mine);
    *mine = atomic_fetch_add(&turn, 1);
    pthread_setspecific(key, mine);
    assert(*(int *)pthread_getspecific(key) == *mine);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    assert(pthread_getspecific(key) == &before);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(destroyed == 2);
    pthread_setspecific(key, NULL);
    pthread_key_delete(key);
    return 0;
}
