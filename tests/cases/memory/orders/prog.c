/* Every operation with every memory order it may have, in every size. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define ORDERS(DO) DO(relaxed) DO(consume) DO(acquire) DO(release) DO(acq_rel) DO(seq_cst)
#define LOADS(DO) DO(relaxed) DO(consume) DO(acquire) DO(seq_cst)
#define STORES(DO) DO(relaxed) DO(release) DO(seq_cst)

#define ALL(T, n)                                                                                  \
    static _Atomic(T) a##n;                                                                        \
    static void use##n(void)                                                                       \
    {                                                                                              \
        _Atomic(T) *a = &a##n;                                                                     \
        T e;                                                                                       \
        ORDERS(UPDATE)                                                                             \
        LOADS(LOAD)                                                                                \
        STORES(STORE)                                                                              \
    }
#define UPDATE(o)                                                                                  \
    atomic_store(a, 8);                                                                            \
    assert(atomic_fetch_add_explicit(a, 3, memory_order_##o) == 8);                                \
    assert(atomic_fetch_sub_explicit(a, 1, memory_order_##o) == 11);                               \
    assert(atomic_fetch_or_explicit(a, 5, memory_order_##o) == 10);                                \
    assert(atomic_fetch_and_explicit(a, 6, memory_order_##o) == 15);                               \
    assert(atomic_fetch_xor_explicit(a, 3, memory_order_##o) == 6);                                \
    assert(atomic_exchange_explicit(a, 7, memory_order_##o) == 5);                                 \
    e = 6;                                                                                         \
    assert(!atomic_compare_exchange_strong_explicit(a, &e, 1, memory_order_##o, memory_order_relaxed)); \
    assert(e == 7);                                                                                \
    while (!atomic_compare_exchange_weak_explicit(a, &e, 1, memory_order_##o, memory_order_relaxed)) \
        ;                                                                                          \
    atomic_thread_fence(memory_order_##o);                                                         \
    atomic_signal_fence(memory_order_##o);
#define LOAD(o) assert(atomic_load_explicit(a, memory_order_##o) == 1);
#define STORE(o)                                                                                   \
    atomic_store_explicit(a, 77, memory_order_##o);                                                \
    assert(atomic_load(a) == 77);
ALL(uint8_t, 8)
ALL(uint16_t, 16)
ALL(uint32_t, 32)
ALL(uint64_t, 64)

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int x;

static void *work(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
        ;
    x++;
    atomic_flag_clear_explicit(&flag, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    use8();
    use16();
    use32();
    use64();
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
