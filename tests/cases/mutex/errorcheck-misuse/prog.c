/* Unlocking what one does not hold, and locking what one holds, fails whatever others do: the traces are the
 * orders of three critical sections. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *locks(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *unlocks(void *unused)
{
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, locks, NULL);
    pthread_create(&t[1], NULL, unlocks, NULL);
    pthread_create(&t[2], NULL, unlocks, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
