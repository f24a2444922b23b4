/* The waiter destroys the condition as soon as it is woken, and the other thread signals after it has
 * given the mutex back: perhaps a condition that is gone. With an argument it signals before. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, inside;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    if (inside)
        pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    if (!inside)
        pthread_cond_signal(&c);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    inside = argc > 1;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c);
    pthread_join(t, NULL);
    return 0;
}
