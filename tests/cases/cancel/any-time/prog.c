/* Asynchronous cancellation of a thread that waits for a mutex, and of one that spins. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locker(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *spinner(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!x && !y)
        ;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    if (argc > 1)
        x = y = 1;
    pthread_mutex_lock(&m);
    pthread_create(&a, NULL, locker, NULL);
    pthread_create(&b, NULL, spinner, NULL);
    pthread_cancel(a);
    pthread_cancel(b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
