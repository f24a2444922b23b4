/* N threads of K atomic stores each: (N K)! / (K!)^N interleavings. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    for (int i = 0; i < K; i++)
        atomic_store(&x, i);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
