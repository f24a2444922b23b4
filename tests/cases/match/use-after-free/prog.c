/* Nobody reads what b writes, so that all of its writes are alike to a model of the program; but one of
 * them comes after the block was freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int *block;

static void *b(void *arg)
{
    *block = 1; /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, NULL, b, NULL);
    free(block);
    pthread_join(t, NULL);
}
