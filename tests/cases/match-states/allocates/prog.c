/* A server that takes memory in every round. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int held;

static void *worker(void *arg)
{
    for (;;) {
        int *block = malloc(sizeof *block);
        *block = 1;
        pthread_mutex_lock(&lock);
        held += *block;
        assert(held == 1);
        held -= *block;
        pthread_mutex_unlock(&lock);
#ifndef LEAKS
        free(block);
#endif
    }
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_join(t[0], NULL);
}
