/* As mutex-poll, but nobody sets the flag. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *poller(void *arg)
{
    int seen;
    do {
        pthread_mutex_lock(&m); /* STUCK */
        seen = flag;
        pthread_mutex_unlock(&m);
    } while (!seen);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return flag;
}
