/* setjmp/longjmp within a thread, alloca, locales, time zones, random devices. */
#include <alloca.h>
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void thrower(jmp_buf to, int n)
{
    if (n == 0) {
        atomic_fetch_add(&x, 1);
        longjmp(to, 7);
    }
    thrower(to, n - 1);
}

static void *work(void *arg)
{
    jmp_buf here;
    char *p = alloca(1000);
    memset(p, 1, 1000);
    int r = setjmp(here);
    if (r == 0)
        thrower(here, 10);
    assert(r == 7 && p[999] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned a = 0, b = 0;
    assert(!strcmp(setlocale(LC_ALL, NULL), "C"));
    setlocale(LC_ALL, "C.UTF-8");
    setenv("TZ", "UTC-3", 1);
    tzset();
    time_t then = 0;
    struct tm tm;
    assert(localtime_r(&then, &tm)->tm_hour == 3);
    int fd = open("/dev/urandom", O_RDONLY);
    assert(fd >= 0 && read(fd, &a, 4) == 4);
    FILE *f = fopen("/dev/urandom", "r");
    assert(f && fread(&b, 4, 1, f) == 1);
    fclose(f);
    assert(getrandom(&b, 4, 0) == 4);
    if (a & 1) /* the same in every execution, or it diverges */
        atomic_fetch_add(&x, 0);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&x) >= 2);
    return 0;
}
