/* A barrier for two, to which four threads come: who meets whom is a behaviour, though nobody looks at who
 * was last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t pair;
static atomic_int before[4], met;

static void *work(void *arg)
{
    int me = *(int *)arg;
    before[me] = 1;
    pthread_barrier_wait(&pair);
    for (int i = 0; i < 4 && me == 1; i++)
        met += before[i] << i;
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int number[4] = {0, 1, 2, 3};
    pthread_barrier_init(&pair, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, &number[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(met != 10); /* 1 and 3 alone */
    return 0;
}
