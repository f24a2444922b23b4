/* Sixteen bytes at once: a pointer with a counter. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef unsigned __int128 wide;
static _Atomic wide v;
static wide w;

struct counted {
    void *p;
    uint64_t n;
};
static _Atomic struct counted c;

static void *work(void *arg)
{
    struct counted old = atomic_load(&c), new;
    do {
        new.p = arg;
        new.n = old.n + 1;
    } while (!atomic_compare_exchange_strong(&c, &old, new));
    atomic_fetch_add(&v, ((wide)1 << 100) + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    wide e = 5;
    pthread_create(&a, NULL, work, &a);
    pthread_create(&b, NULL, work, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct counted end = atomic_load(&c);
    assert(end.n == 2 && (end.p == &a || end.p == &b));
    assert(atomic_load(&v) == ((wide)2 << 100) + 2);
    __atomic_store_n(&w, (wide)5 << 64, __ATOMIC_SEQ_CST);
    assert(!__atomic_compare_exchange_n(&w, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(e == (wide)5 << 64 && __atomic_exchange_n(&w, 3, __ATOMIC_ACQ_REL) == e);
    assert(__atomic_load_n(&w, __ATOMIC_ACQUIRE) == 3);
    return 0;
}
