#include <pthread.h>
#include <stdlib.h>

/* On one schedule only: the thread may or may not have written before the block is freed. */
int *p;

static void *work(void *arg)
{
    *p = 3; /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, NULL, work, NULL);
    free(p);
    pthread_join(t, NULL);
    return 0;
}
