/* One of two threads takes the locks in the other order, in every fifth round. */
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg)
{
    for (int round = 0;; round = (round + 1) % 5) {
        int first = arg && round == 4;
        pthread_mutex_lock(&lock[first]);
        pthread_mutex_lock(&lock[!first]);
        pthread_mutex_unlock(&lock[!first]);
        pthread_mutex_unlock(&lock[first]);
    }
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    pthread_join(t[0], NULL);
}
