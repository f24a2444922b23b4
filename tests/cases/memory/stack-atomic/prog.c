/* An atomic flag in the stack of a thread that may be gone when it is set. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) where;

static void *owner(void *arg)
{
    atomic_int flag = 0;
    where = &flag;
    return (void *)(long)atomic_load(&flag);
}

static void *user(void *arg)
{
    atomic_int *p = where;
    if (p)
        atomic_fetch_add(p, 1); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, owner, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
