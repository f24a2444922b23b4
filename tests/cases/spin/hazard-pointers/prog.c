/* Hazard pointers: a reader announces what it is about to use and looks again; who takes the object away
 * waits until nobody has announced it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef R
#define R 2
#endif
struct thing { int alive; };
static struct thing old = {1}, new = {1};
static _Atomic(struct thing *) shared = &old, hazard[R];
static void *reader(void *a)
{
    long i = (long)a;
    struct thing *p = atomic_load(&shared);
    for (;;) {
        atomic_store(&hazard[i], p);
        struct thing *again = atomic_load(&shared);
        if (again == p)
            break;
        p = again;
    }
    assert(p->alive);
    atomic_store(&hazard[i], NULL);
    return 0;
}
static void *writer(void *a)
{
    struct thing *p = atomic_exchange(&shared, &new);
    for (int i = 0; i < R; i++)
        while (atomic_load(&hazard[i]) == p)
            ;
    p->alive = 0;
    return a;
}
int main(void)
{
    pthread_t t[R + 1];
    for (long i = 0; i < R; i++)
        pthread_create(&t[i], 0, reader, (void *)i);
    pthread_create(&t[R], 0, writer, 0);
    for (int i = 0; i <= R; i++)
        pthread_join(t[i], 0);
    return 0;
}
