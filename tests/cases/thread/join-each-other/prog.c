#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_t t[2];
atomic_int go;

static void *work(void *arg)
{
    while (!atomic_load(&go))
        ;
    pthread_join(t[1 - (long)arg], NULL);
    return NULL;
}

int main(void)
{
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    atomic_store(&go, 1);
    pthread_exit(NULL);
}
