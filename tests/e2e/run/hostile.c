/* Bad behaviour by name: each must end in a clear message and the right status. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;

static void *loop(void *arg)
{
    for (volatile int i = 0;; i++)
        ;
    return arg;
}

static void grow(void)
{
    for (;;)
        if (!malloc(1 << 20))
            abort();
}

static void print(void)
{
    static char text[1 << 16];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 32768; i++)
        fwrite(text, 1, sizeof text, stdout);
}

static void handler(int sig)
{
}

static void handle(void)
{
    signal(SIGSEGV, handler);
    *(volatile int *)8 = 1;
}

static void scribble(uintptr_t from, uintptr_t size)
{
    uint64_t r = 88172645463325252ull;
    for (int i = 0; i < 1000000; i++) {
        r ^= r << 13;
        r ^= r >> 7;
        r ^= r << 17;
        memset((void *)(from + r % size), 0x5a, 64);
    }
}

/* Past libc: raddle sees these calls, names them and performs those it does not know. */
static long raw(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

static void *die(void *arg)
{
    char self[16] = "";
    if (atomic_load(&x) == 1 && raw(SYS_readlink, (long)"/proc/self", (long)self, sizeof self - 1) > 0)
        raw(SYS_kill, atoi(self), SIGKILL, 0);
    return arg;
}

static void start(void *(*f)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "loop"))
        start(loop);
    else if (!strcmp(what, "grow"))
        grow();
    else if (!strcmp(what, "print"))
        print();
    else if (!strcmp(what, "handle"))
        handle();
    else if (!strcmp(what, "scribble"))
        scribble(0x7ffff7000000, 0xfff000);
    else if (!strcmp(what, "overwrite"))
        scribble(0x030000000000ull, 0x8000);
    else if (!strcmp(what, "die"))
        start(die);
    else if (!strcmp(what, "block")) {
        int p[2];
        char c;
        return raw(SYS_pipe, (long)p, 0, 0) || raw(SYS_read, p[0], (long)&c, 1) != 1;
    }
    return 0;
}
