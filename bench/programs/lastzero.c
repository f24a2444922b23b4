/* Thread j sets a[j] = a[j - 1] + 1; one thread looks for the last zero. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int a[N + 1];

static void *work(void *arg)
{
    long j = (long)arg;
    if (j == 0) {
        int i = N;
        while (atomic_load(&a[i]) != 0)
            i--;
    } else {
        int v = atomic_load(&a[j - 1]);
        atomic_store(&a[j], v + 1);
    }
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
