/* In each round main, which tries a semaphore, writes a variable of its own that another thread reads
 * at times. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static int *where;
static atomic_int go;
int seen;

static void *lets(void *arg)
{
    go = 1;
    return arg;
}

static void *looks(void *arg)
{
    if (go)
        seen = *where;
    sem_post(&s);
    return arg;
}

static __attribute__((noinline)) int try(int *flag)
{
    int failed = sem_trywait(&s);
    *flag = 1;
    return failed;
}

int main(void)
{
    pthread_t t[2];
    int flag = 1;
    where = &flag;
    sem_init(&s, 0, 0);
    pthread_create(&t[0], NULL, looks, NULL);
    pthread_create(&t[1], NULL, lets, NULL);
    while (try(&flag)) {
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
