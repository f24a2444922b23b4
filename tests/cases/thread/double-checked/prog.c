#include <assert.h>
#include <pthread.h>

/* Double-checked initialisation without atomics. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready, value;

static void *work(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&m);
        if (!ready) {
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&m);
    }
    assert(value == 42);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
