/* A loop that looks at the time never comes back to a state. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stop;

static void *worker(void *arg)
{
    while (!atomic_load(&stop))
        if (time(NULL) == 1)
            return arg;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&stop, 1);
    pthread_join(t, NULL);
}
