/* The old built-in functions in all sizes. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define ALL(T, n)                                                                                  \
    static T v##n, flags##n = (T)0xf0;                                                             \
    static int lock##n;                                                                            \
    static void use##n(void)                                                                       \
    {                                                                                              \
        while (__sync_lock_test_and_set(&lock##n, 1))                                              \
            ;                                                                                      \
        v##n += 1;                                                                                 \
        __sync_lock_release(&lock##n);                                                             \
    }                                                                                              \
    static void check##n(void)                                                                     \
    {                                                                                              \
        T x = 5;                                                                                   \
        __sync_fetch_and_or(&flags##n, (T)1);                                                      \
        __sync_and_and_fetch(&flags##n, (T)0x7f);                                                  \
        assert(v##n == 2 && flags##n == (T)0x71);                                                  \
        assert(__sync_fetch_and_add(&x, 2) == 5 && __sync_add_and_fetch(&x, 1) == 8);              \
        assert(__sync_fetch_and_sub(&x, 3) == 8 && __sync_sub_and_fetch(&x, 1) == 4);              \
        assert(__sync_fetch_and_xor(&x, 6) == 4 && __sync_xor_and_fetch(&x, 2) == 0);              \
        assert(__sync_or_and_fetch(&x, 12) == 12 && __sync_fetch_and_and(&x, 4) == 12);            \
        assert(__sync_fetch_and_nand(&x, 4) == 4 && x == (T)~4);                                   \
        assert(__sync_bool_compare_and_swap(&x, (T)~4, 9) && !__sync_bool_compare_and_swap(&x, 1, 2)); \
        assert(__sync_val_compare_and_swap(&x, 9, 10) == 9 && x == 10);                            \
        __sync_synchronize();                                                                      \
    }
ALL(uint8_t, 8)
ALL(uint16_t, 16)
ALL(uint32_t, 32)
ALL(uint64_t, 64)

static void (*const use[])(void) = {use8, use16, use32, use64};

static void *work(void *which)
{
    use[(intptr_t)which]();
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (intptr_t i = 0; i < 4; i++) {
        pthread_create(&t, NULL, work, (void *)i);
        use[i]();
        pthread_join(t, NULL);
    }
    check8();
    check16();
    check32();
    check64();
    return 0;
}
