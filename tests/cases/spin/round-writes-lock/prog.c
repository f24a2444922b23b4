/* In each round main, which polls under a mutex, writes a variable of its own that another thread
 * reads at times. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done, *where;
static atomic_int go;
int seen;

static void *lets(void *arg)
{
    go = 1;
    return arg;
}

static void *looks(void *arg)
{
    if (go)
        seen = *where;
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static __attribute__((noinline)) int ready(int *flag)
{
    pthread_mutex_lock(&m);
    int now = done;
    pthread_mutex_unlock(&m);
    *flag = 1;
    return now;
}

int main(void)
{
    pthread_t t[2];
    int flag = 1;
    where = &flag;
    pthread_create(&t[0], NULL, looks, NULL);
    pthread_create(&t[1], NULL, lets, NULL);
    while (!ready(&flag)) {
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
