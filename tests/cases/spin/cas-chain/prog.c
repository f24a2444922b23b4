/* A compare-exchange that goes on with what it found, while another thread writes 30 values: what it found
 * before the last time makes no difference. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *updater(void *arg)
{
    int seen = x;
    while (!atomic_compare_exchange_strong(&x, &seen, 100))
        ;
    return NULL;
}

static void *writer(void *arg)
{
    for (int i = 1; i <= 30; i++)
        x = i;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, updater, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
