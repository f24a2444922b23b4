/* Reader-writer spin lock: a count of readers, -1 while somebody writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef R
#define R 2
#endif
#ifndef W
#define W 2
#endif
static atomic_int lock;
static int x, y;
static void *reader(void *a)
{
    for (;;) {
        int n = atomic_load(&lock);
        if (n >= 0 && atomic_compare_exchange_strong(&lock, &n, n + 1))
            break;
    }
    assert(x == y);
    atomic_fetch_sub(&lock, 1);
    return a;
}
static void *writer(void *a)
{
    for (;;) {
        int none = 0;
        if (atomic_compare_exchange_strong(&lock, &none, -1))
            break;
    }
    x++;
    y++;
    atomic_store(&lock, 0);
    return a;
}
int main(void)
{
    pthread_t t[R + W];
    for (int i = 0; i < R + W; i++)
        pthread_create(&t[i], 0, i < R ? reader : writer, 0);
    for (int i = 0; i < R + W; i++)
        pthread_join(t[i], 0);
    assert(x == W && y == W);
    return 0;
}
