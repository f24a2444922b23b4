/* N threads add one to x: N! traces. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
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
