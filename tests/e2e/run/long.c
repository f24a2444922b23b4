/* More operations in one thread than the clocks of some engines count. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *other(void *arg)
{
    y = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    for (int i = 0; i < 33000; i++)
        x = i;
    y = 2;
    pthread_join(t, NULL);
    return 0;
}
