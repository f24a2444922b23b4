#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct entry { int value; };
static _Atomic(struct entry *) current;
static void *clear(void *p)
{
    struct entry *old = atomic_exchange(&current, NULL); /* CHANGE */
    free(old);
    return NULL;
}
int main(void)
{
    pthread_t t;
    struct entry *e = malloc(sizeof *e);
    e->value = 3;
    atomic_store(&current, e);
    pthread_create(&t, NULL, clear, NULL);
    int sum = 0;
    if (atomic_load(&current) != NULL)
        sum += atomic_load(&current)->value;
    pthread_join(t, NULL);
    return sum == 1000;
}
