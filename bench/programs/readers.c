/* One thread writes x, N threads read it once: 2^N traces. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    if (arg)
        (void)atomic_load(&x);
    else
        atomic_store(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    for (long i = 0; i < N + 1; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N + 1; i++)
        pthread_join(t[i], NULL);
    return 0;
}
