/* Six threads write one variable twice each; nobody reads it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
    x = (int)(long)arg;
    x = 100 + (int)(long)arg;
    return NULL;
}

int main(void)
{
    for (long i = 0; i < 6; i++) {
        pthread_t t;
        pthread_create(&t, NULL, work, (void *)i);
    }
    pthread_exit(NULL);
}
