/* N threads write the same variable; main reads it when all are done: N! traces. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    atomic_store(&x, (int)(long)arg);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    (void)atomic_load(&x);
    return 0;
}
