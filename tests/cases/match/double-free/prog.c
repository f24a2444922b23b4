/* Two threads free one block that nobody has touched: only who frees it second shows that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic block;

static void *drop(void *arg)
{
    char *mine = block;
    if (mine) {
        block = NULL;
        free(mine); /* BUG */
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(3);
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
