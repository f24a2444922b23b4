#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* More threads than slots are made at the start. */
atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[100];
    for (int i = 0; i < 100; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 100; i++)
        pthread_join(t[i], NULL);
    assert(x == 100);
    return 0;
}
