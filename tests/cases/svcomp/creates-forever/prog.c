/* main creates threads for ever. Those up to the limit are explored all the same. */
#include <pthread.h>

extern void reach_error(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived;

static void *arrives(void *unused)
{
    pthread_mutex_lock(&lock);
    if (++arrived == 3)
        reach_error(); /* BUG */
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, arrives, 0);
}
