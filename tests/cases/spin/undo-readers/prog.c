/* Readers announce themselves, and take it back while a writer is there: a round that puts back what it has
 * changed, and nobody has seen it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, writer;
static int data[2];

static void *reader(void *arg)
{
    for (;;) {
        atomic_fetch_add(&readers, 1);
        if (!writer)
            break;
        atomic_fetch_sub(&readers, 1);
    }
    assert(data[0] == data[1]);
    atomic_fetch_sub(&readers, 1);
    return arg;
}

static void *write_both(void *arg)
{
    writer = 1;
    while (readers)
        ;
    data[0] = 1;
    data[1] = 1;
    writer = 0;
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, write_both, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
