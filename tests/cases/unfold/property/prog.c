/* Two threads, two variables and a counter under a lock: which global states there are. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
unsigned char z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    x = 150;
    pthread_mutex_lock(&m);
    z++;
    pthread_mutex_unlock(&m);
    x = 0;
    return arg;
}

static void *other(void *arg)
{
    y = 60;
    pthread_mutex_lock(&m);
    z += 10;
    pthread_mutex_unlock(&m);
    y = 7;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
