#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* As exit-or-assert, with operations before that nobody else is concerned with, and _exit. */
static atomic_int mine, other;

static void *leave(void *arg)
{
    atomic_fetch_add(&mine, 1);
    _exit(0);
}

static void *fail(void *arg)
{
    atomic_fetch_add(&other, 1);
    atomic_fetch_add(&other, 1);
    assert(arg); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, fail, NULL);
    pthread_join(a, NULL);
    return 0;
}
