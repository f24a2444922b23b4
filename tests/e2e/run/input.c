/* Fails only for the number 42 on standard input, and in one of two orders. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int done;

static void *work(void *arg)
{
    atomic_store(&done, 1);
    return arg;
}

int main(int argc, char **argv)
{
    int n = 0;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (scanf("%d", &n) != 1)
        return 0;
    assert(n != 42 || atomic_load(&done));
    pthread_join(t, NULL);
    return 0;
}
