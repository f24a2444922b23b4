/* main counts idx up and starts a thread each time, which writes a[idx]. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int idx = -1, a[N];

static void *work(void *arg)
{
    atomic_store(&a[atomic_load(&idx)], 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        int v = atomic_load(&idx);
        atomic_store(&idx, v + 1);
        pthread_create(&t[i], NULL, work, NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
