/* N threads write x; main reads it once before joining. */
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
    (void)atomic_load(&x);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
