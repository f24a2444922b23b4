#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    atomic_store(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int seen = atomic_load(&x);
    pthread_join(t, NULL);
    return seen ? 3 : 0;
}
