/* A loop that counts in two registers, in a function that is not understood (an instruction that nobody
 * knows): it comes back in another state each time, whatever the two have in common. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong bits;
static volatile unsigned long count = 16;

static __attribute__((noinline)) unsigned long ones(unsigned long n)
{
    unsigned long i = n, found = 0;
    if (n > 64)
        __builtin_ia32_emms();
    while (i--) {
        register unsigned long a __asm__("r12") = i, b __asm__("r13") = i;
        __asm__ volatile("" : "+r"(a), "+r"(b));
        unsigned long word = atomic_load(&bits);
        __asm__ volatile("" : "+r"(a), "+r"(b));
        found += word >> a & 1;
        i = b;
    }
    return found;
}

static void *sets(void *arg)
{
    atomic_fetch_or(&bits, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    unsigned long found = ones(count);
    assert(found <= 1);
    pthread_join(t, NULL);
    assert(ones(count) == 1);
    return 0;
}
