/* Reads of one version are not ordered: three readers of two variables have 5 ways each to see
 * them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x, y;

static void *reader(void *a)
{
    int first = x, second = y;
    assert(first == 0 || first == 2 || second <= 1);
    return a;
}

static void *writer(void *a)
{
    x = 1;
    y = 1;
    x = 2;
    return a;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, writer, 0);
    for (int i = 1; i < 4; i++)
        pthread_create(&t[i], 0, reader, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
