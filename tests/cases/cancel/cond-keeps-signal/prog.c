/* Two threads wait, one of them is cancelled, one signal is sent: a thread that is cancelled does not
 * consume it (POSIX), whether the request comes before or after the signal. */
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
    pthread_cond_signal(&c); /* the next one */
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
#ifdef BEFORE
    pthread_cancel(a);
#endif
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
#ifndef BEFORE
    pthread_cancel(a);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
