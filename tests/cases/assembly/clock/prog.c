/* The clock of the processor is virtual time, read by assembly or by the compiler's own function. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>
#include <x86intrin.h>

static uint64_t ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static void *work(void *arg)
{
    uint64_t a = ticks(), b = __rdtsc();
    unsigned processor;
    assert(b > a);
    usleep(1000);
    assert(__rdtscp(&processor) - b > 900000 && processor == 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    return 0;
}
