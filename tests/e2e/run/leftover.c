/* Memory that was mapped before main is not put back: from the third execution of a process on threads wait
 * for ever, in a fresh one they never do. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static int *runs;
atomic_int go, sum;

__attribute__((constructor)) static void map_memory(void)
{
    runs = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *work(void *arg)
{
    while (*runs == 3 && !atomic_load(&go))
        ;
    atomic_fetch_add(&sum, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    *runs += *runs < 3;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    atomic_store(&sum, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
