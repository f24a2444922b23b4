#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Both threads may see the pointer before either clears it. */
_Atomic(char *) p;

static void *work(void *arg)
{
    char *mine = atomic_load(&p);
    if (mine) {
        atomic_store(&p, NULL);
        free(mine); /* BUG */
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&p, malloc(10));
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
