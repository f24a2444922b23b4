#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Sizes that the compilers leave to libatomic, without -latomic: 16 bytes (clang) and 24. */
struct two {
    uint64_t pointer, tag;
};
struct three {
    long a, b, c;
};
static _Atomic struct two two;
static _Atomic struct three three;

static void *work(void *arg)
{
    struct two o = atomic_load(&two), n;
    do {
        n = (struct two){o.pointer, o.tag + 1};
    } while (!atomic_compare_exchange_strong(&two, &o, n));
    struct three t = atomic_load(&three); /* not atomic together with the store */
    t.c++;
    atomic_store(&three, t);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct two s = atomic_exchange(&two, ((struct two){0, 0}));
    assert(s.tag == 2);
    struct three t = atomic_exchange(&three, ((struct three){0, 0, 0}));
    assert(t.c == 2); /* BUG */
    return 0;
}
