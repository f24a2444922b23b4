/* Two threads wait in turns for what the third changes after a broadcast that changes nothing. Who was
 * woken by the first broadcast, and has not gone on yet, is not woken once more by the second one. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    while (!value)
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void add(int n)
{
    pthread_mutex_lock(&m);
    value += n;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, waits, NULL);
    add(0);
    add(1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
