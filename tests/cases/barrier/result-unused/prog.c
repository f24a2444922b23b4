/* Two barriers that four threads pass. Who was last is a behaviour only if somebody looks (USED: at one). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 4
static pthread_barrier_t first, second;
static atomic_int last;

static void *work(void *arg)
{
#ifdef USED
    if (pthread_barrier_wait(&first) == PTHREAD_BARRIER_SERIAL_THREAD)
        last = *(int *)arg;
#else
    pthread_barrier_wait(&first);
#endif
    pthread_barrier_wait(&second);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int number[N];
    pthread_barrier_init(&first, NULL, N);
    pthread_barrier_init(&second, NULL, N);
    for (int i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(last != WRONG);
    return 0;
}
