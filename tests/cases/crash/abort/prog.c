#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;

static void *work(void *arg)
{
    if (atomic_fetch_add(&x, 1) == 1)
        abort(); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
