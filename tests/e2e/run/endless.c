/* As many interleavings as anybody may want. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
    for (int i = 0; i < 50; i++)
        atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
