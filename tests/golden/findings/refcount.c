#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { atomic_int refs; int value; };
static void drop(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acquire) == 1) /* CHANGE */
        free(o);
}
static void *user(void *p)
{
    struct object *o = p;
    o->value++;
    drop(o);
    return NULL;
}
int main(void)
{
    struct object *o = malloc(sizeof *o);
    o->refs = 2;
    pthread_t t;
    pthread_create(&t, NULL, user, o);
    drop(o);
    pthread_join(t, NULL);
}
