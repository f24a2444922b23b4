/* Three threads with waiting loops; the outcome below needs an order that samples hardly ever show. A
 * sample that runs between the executions of a search can teach it that it must begin again: then
 * nothing that was kept of the old search may be followed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int v[3];
static long saw[3];

static void *snapshots(void *arg)
{
    int a, b, seen;
    while (v[0] == 1 && v[1] == 0)
        ;
    seen = v[2] == 2 ? 1 : 2;
    do {
        a = v[0];
        b = v[1];
    } while (v[0] != a);
    saw[0] = seen * 49 + (a + 1) * 7 + b + 1;
    return arg;
}

static long count(atomic_int *x)
{
    int e = *x, o = e;
    while (!atomic_compare_exchange_strong(x, &e, (o + 1) % 3))
        o = e;
    return o + 1;
}

static void *counts(void *arg)
{
    v[0] = 0;
    long n = count(&v[2]) * 7;
    for (;;) {
        int e = v[0], o = e;
        if (atomic_compare_exchange_strong(&v[0], &e, (o + 1) % 3)) {
            saw[1] = n + o + 1;
            return arg;
        }
    }
}

static void *agrees(void *arg)
{
    int e = v[1], o;
    do {
        o = e;
        e = v[1];
    } while (e != o);
    long n = (e + 1) * 7 + atomic_fetch_add(&v[0], 1) + 1;
    saw[2] = n * 7 + count(&v[0]);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, snapshots, NULL);
    pthread_create(&t[1], NULL, counts, NULL);
    pthread_create(&t[2], NULL, agrees, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(saw[0] == 113 && saw[1] == 9 && saw[2] == 59)); /* BUG */
    return 0;
}
