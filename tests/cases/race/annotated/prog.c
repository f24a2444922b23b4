/* A lock of inline assembly explained to the race check by the sanitizer's interface. */
#include <pthread.h>

void __tsan_acquire(void *at);
void __tsan_release(void *at);

static volatile int lock_word;
static int n;

static void lock(void)
{
    int got = 1;
    __asm__ volatile("xchgl %0, %1" : "+r"(got), "+m"(lock_word) : : "memory");
    __tsan_acquire((void *)&lock_word);
}

static void unlock(void)
{
    __tsan_release((void *)&lock_word);
    int zero = 0;
    __asm__ volatile("xchgl %0, %1" : "+r"(zero), "+m"(lock_word) : : "memory");
}

static void *work(void *arg)
{
    lock();
    n++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return n != 2;
}
