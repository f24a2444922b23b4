/* One signal and two threads that may wait: which of them it wakes is a choice. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, woken;

static void *wait_once(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    woken = (int)(long)arg;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *signal_once(void *arg)
{
    pthread_mutex_lock(&m);
    int both = waiting == 2;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(!(both && woken == WHO)); /* BUG */
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, signal_once, NULL);
    pthread_create(&t, NULL, wait_once, (void *)1);
    pthread_create(&t, NULL, wait_once, (void *)2);
    pthread_exit(NULL);
}
