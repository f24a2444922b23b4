/* A pool whose threads are never joined: they wait for work when main returns, and the process ends. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int queued, finished;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    for (;;) {
        while (!queued)
            pthread_cond_wait(&work, &m);
        queued--;
        finished++;
        pthread_cond_signal(&done);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_mutex_lock(&m);
    queued = 1;
    pthread_cond_signal(&work);
    while (!finished)
        pthread_cond_wait(&done, &m);
    pthread_mutex_unlock(&m);
    return 0;
}
