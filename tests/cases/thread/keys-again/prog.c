/* More keys in the course of time than there can be at once; a new one has no value. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static void *makes(void *unused)
{
    for (int i = 0; i < 2 * PTHREAD_KEYS_MAX; i++) {
        pthread_key_t key;
        assert(pthread_key_create(&key, NULL) == 0);
        assert(!pthread_getspecific(key));
        assert(pthread_setspecific(key, &key) == 0);
        assert(pthread_key_delete(key) == 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, makes, NULL);
    pthread_join(t, NULL);
}
