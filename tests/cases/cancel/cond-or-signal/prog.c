/* A thread that waits on a condition is cancelled while another one signals. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void give_back(void *arg)
{
    pthread_mutex_unlock(&m);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give_back, NULL);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return NULL;
}

static void *signaller(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, signaller, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
