/* Each malloc that finds a block of its size freed by its thread is a choice of two: 2 · 2
 * executions of this thread (whatever it takes, a freed block is there for the next); the other size
 * finds none. With an argument two threads do the same: 4 · 4, and nobody gets what the other freed. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *seen[2];

static void *work(void *arg)
{
    void **mine = arg;
    void *a = malloc(24);
    *mine = a;
    free(a);
    void *other = malloc(200);
    assert(other != a);
    void *b = malloc(20); /* of the same class */
    free(b);
    void *c = malloc(32);
    free(c);
    free(other);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    int threads = argc;
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, &seen[i]);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    assert(threads == 1 || seen[0] != seen[1]);
    return 0;
}
