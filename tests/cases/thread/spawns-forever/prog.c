/* Every thread starts another one: cut by --max-threads, and said so. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *spawn(void *arg)
{
    pthread_t t;
    x++;
    pthread_create(&t, NULL, spawn, NULL);
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    spawn(NULL);
    return 0;
}
