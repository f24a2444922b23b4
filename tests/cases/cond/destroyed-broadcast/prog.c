/* POSIX: a condition may be destroyed as soon as all who were blocked on it have been woken, though they
 * have not returned yet; and the same memory may then hold a new one. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, go;

static void *wait(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    if (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, wait, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_cond_destroy(&c);
    c = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
