#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

pthread_key_t key;
atomic_int destroyed;

static void destroy(void *value)
{
    atomic_fetch_add(&destroyed, (int)(long)value);
}

static void *work(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, (void *)1);
    assert(pthread_getspecific(key) == (void *)1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 2);
    pthread_key_delete(key);
    return 0;
}
