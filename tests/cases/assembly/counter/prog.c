/* Locked instructions on memory operands are operations as atomics are: 16 bits, 32 and 64. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile uint32_t sum;
static uint64_t wide;
static uint16_t narrow;

static inline uint32_t fetch_add(volatile uint32_t *p, uint32_t n)
{
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory", "cc");
    return n;
}

static inline int compare_exchange(uint64_t *p, uint64_t old, uint64_t new)
{
    uint64_t seen;
    __asm__ volatile("lock\n\t"
                     "cmpxchgq %2, %1"
                     : "=a"(seen), "+m"(*p)
                     : "r"(new), "0"(old)
                     : "memory");
    return seen == old;
}

static void *work(void *arg)
{
    if (arg)
        asm volatile("lock incw %0" : "+m"(narrow));
    else
        asm volatile("lock addw $1, %[n]" : [n] "+m"(narrow) : : "cc");
    fetch_add(&sum, 1);
    for (uint64_t old = 0; !compare_exchange(&wide, old, old + 1);)
        old++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 2 && wide == 2 && narrow == 2);
    return 0;
}
