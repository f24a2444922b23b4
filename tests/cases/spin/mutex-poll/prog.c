/* Two threads that poll a flag under a mutex, without giving way. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *poller(void *arg)
{
    int seen;
    do {
        pthread_mutex_lock(&m);
        seen = flag;
        pthread_mutex_unlock(&m);
    } while (!seen);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_create(&c, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
