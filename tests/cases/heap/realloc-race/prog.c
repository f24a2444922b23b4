#include <pthread.h>
#include <stdlib.h>

/* The writer still has the address from before the block was moved. */
int *block;

static void *work(void *arg)
{
    *(int *)arg = 1; /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, NULL, work, block);
    block = realloc(block, 100 * sizeof *block);
    pthread_join(t, NULL);
    free(block);
    return 0;
}
