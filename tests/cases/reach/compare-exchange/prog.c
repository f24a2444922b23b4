/* Three threads try once: 3 traces, by who succeeds. Those that fail only read. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static int won[3];

static void *attempt(void *a)
{
    int expected = 0, i = (int)(long)a;
    won[i] = atomic_compare_exchange_strong(&x, &expected, i + 1);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, attempt, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(won[0] + won[1] + won[2] == 1);
}
