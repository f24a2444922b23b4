#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* main ends with pthread_exit; the others go on. */
atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    pthread_exit(NULL);
}
