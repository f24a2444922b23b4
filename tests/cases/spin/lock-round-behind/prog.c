/* A thread comes to the lock of its waiting loop only after others have used the mutex twice: that it takes
 * it before the second of these is not possible (it would wait), before the first it is. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int number, closed;
static atomic_int late;

static void *closes(void *arg)
{
    pthread_mutex_lock(&m);
    number++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void wait_until_one(void)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int ok = !closed && number == 1;
        pthread_mutex_unlock(&m);
        if (ok)
            return;
    }
}

static void *sets(void *arg)
{
    pthread_mutex_lock(&m);
    number = 1;
    pthread_mutex_unlock(&m);
    wait_until_one();
    return arg;
}

static void *looks(void *arg)
{
    pthread_mutex_lock(&m);
    int seen = number;
    pthread_mutex_unlock(&m);
    if (seen)
        late++;
    wait_until_one();
    return arg;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, NULL, closes, NULL);
    pthread_create(&u, NULL, sets, NULL);
    pthread_create(&v, NULL, looks, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
    return 0;
}
