/* A token that a thread waits for with a time limit, which is asked to end twice, another one without, and
 * main not at all. dfs finds 25 traces; none may be missing. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t s;
static atomic_int v;

static void *waits_for_a_while(void *a)
{
    static const struct timespec late = {2000000000, 0};
    sem_timedwait(&s, &late);
    return a;
}

static void *waits(void *a)
{
    atomic_load(&v);
    sem_wait(&s);
    return a;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 1);
    pthread_create(&t[0], 0, waits_for_a_while, 0);
    pthread_create(&t[1], 0, waits, 0);
    pthread_cancel(t[0]);
    pthread_cancel(t[0]);
    sem_trywait(&s);
    pthread_join(t[0], 0);
    pthread_exit(0);
}
