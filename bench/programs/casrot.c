/* Thread k turns x from k - 1 into k; a failing compare-exchange is a read. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *arg)
{
    int expected = (int)(long)arg;
    atomic_compare_exchange_strong(&x, &expected, (int)(long)arg + 1);
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
