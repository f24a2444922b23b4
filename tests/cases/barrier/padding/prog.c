/* Between the barrier and the loop behind it compilers put padding that names the register of the result. */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 2 };
static pthread_barrier_t barrier;
static int cells[THREADS];

static void *work(void *number)
{
    int own = (int)(long)number;
    for (int round = 1; round <= ROUNDS; round++) {
        cells[own] = round;
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < THREADS; i++)
            assert(cells[i] == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
