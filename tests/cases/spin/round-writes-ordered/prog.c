/* In each round main writes a variable of its own, under the mutex under which another thread reads it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done, *where;

static void *looks(void *arg)
{
    pthread_mutex_lock(&m);
    assert(*where != 2);
    assert(*where < 2);
    done = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    int flag = 0, ready = 0;
    where = &flag;
    pthread_create(&t, NULL, looks, NULL);
    while (!ready) {
        pthread_mutex_lock(&m);
        flag = 2;
        ready = done;
        flag = 1;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    return 0;
}
