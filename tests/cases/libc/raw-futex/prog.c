/* Futexes by the instruction itself, past all functions: modelled as the others are. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static atomic_int word;
static int data;

static long futex(atomic_int *p, int what, int value)
{
    long result;
    register long timeout __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(p), "S"(what), "d"(value), "r"(timeout)
                     : "rcx", "r11", "memory");
    return result;
}

static void *work(void *arg)
{
    data = 42;
    atomic_store(&word, 1);
    futex(&word, FUTEX_WAKE, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    long kept = 0x123456789;
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load(&word)) {
        long r = futex(&word, FUTEX_WAIT, 0);
        assert(r == 0 || r == -11 /* EAGAIN */);
    }
    assert(data == 42 && kept == 0x123456789);
    pthread_join(t, NULL);
    return 0;
}
