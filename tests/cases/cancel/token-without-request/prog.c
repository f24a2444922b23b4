/* One token and three who want it; the first of them is asked to end before main, which waits for the token
 * without a limit, gets it: main could have had it in every case. dfs finds 12 traces. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static const struct timespec late = {2000000000, 0};

static void *waits(void *a)
{
    sem_timedwait(&s, &late);
    return a;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 1);
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, waits, 0);
    pthread_cancel(t[0]);
    sem_wait(&s);
    pthread_join(t[0], 0);
    pthread_exit(0);
}
