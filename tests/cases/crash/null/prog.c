#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) p;
int x;

static void *work(void *arg)
{
    atomic_store(&p, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    p = &x;
    pthread_create(&t, NULL, work, NULL);
    *atomic_load(&p) = 1; /* BUG */
    pthread_join(t, NULL);
    return 0;
}
