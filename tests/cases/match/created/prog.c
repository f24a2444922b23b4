/* Three threads that each create one: which of these is the first differs, and their names with it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun[3];
static atomic_ulong name[3];

static void *child(void *arg)
{
    atomic_store((atomic_ulong *)arg, (unsigned long)pthread_self());
    return NULL;
}

static void *parent(void *arg)
{
    int me = (int)(long)arg;
    pthread_t t;
    atomic_store(&begun[me], 1);
    pthread_create(&t, NULL, child, &name[me]);
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        atomic_load(&begun[i]); /* so it is shared, and a store to it a step */
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, parent, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    unsigned long first = atomic_load(&name[A]), second = atomic_load(&name[B]);
    unsigned long third = atomic_load(&name[3 - A - B]);
    assert(!(first < second && second < third)); /* BUG */
}
