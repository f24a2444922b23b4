/* What every file of the runtime needs: its state, memory functions that are surely not the
 * interposed ones, formatting, and a way to give up that says why. */
#include "rt/core/rt.h"

#include "rt/core/fiber.h"

#include "base/ensure.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct thread nobody; /* who the hooks think runs before anybody does */
struct rt rt = {.self = &nobody};

struct word {
    uint64_t w;
} __attribute__((packed, may_alias));

void rt_copy(void *to, const void *from, size_t n)
{
    if (n < 256) { /* starting rep movsb costs more than this */
        for (; n >= 8; n -= 8, to = (char *)to + 8, from = (const char *)from + 8)
            ((struct word *)to)->w = ((const struct word *)from)->w;
        for (; n; n--, to = (char *)to + 1, from = (const char *)from + 1)
            *(volatile char *)to = *(const char *)from; /* volatile: no call of memcpy */
        return;
    }
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

void rt_fill(void *to, int byte, size_t n)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(byte) : "memory");
}

bool rt_same(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return false;
    return true;
}

int rt_format(char *out, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(out, size, fmt, ap);
    va_end(ap);
    return n;
}

void rt_fatal(const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (rt.shared)
        rt_format(rt.shared->incomplete, sizeof rt.shared->incomplete, "%s", text);
    syscall(SYS_write, 2, "raddle runtime: ", 16);
    syscall(SYS_write, 2, text, n);
    syscall(SYS_write, 2, "\n", 1);
    syscall(SYS_exit_group, EXIT_RUNTIME_FAILED);
    __builtin_unreachable();
}

void rt_internal(const char *fmt, ...)
{
    struct shared *s = rt.shared;
    char text[sizeof s->internal];
    va_list ap;
    fiber_lend_tls(true);
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!s) {
        syscall(SYS_write, 2, "raddle: internal error: ", 24);
        syscall(SYS_write, 2, text, n < (int)sizeof text ? n : (int)sizeof text - 1);
        syscall(SYS_write, 2, "\n", 1);
    } else if (!s->internal[0]) {
        rt_format(s->internal, sizeof s->internal, "%s (engine %s, execution %lu, step %u)", text,
                  s->config.engine, s->executions + s->blocked + 1, s->trace.step_count);
    }
    syscall(SYS_exit_group, EXIT_RUNTIME_FAILED);
    __builtin_unreachable();
}

void ensure_failed(const char *condition, const char *file, int line)
{
    rt_internal("%s does not hold, %s:%d", condition, file, line);
}

void *rt_real(const char *name)
{
    bool lent = fiber_lend_tls(true); /* that dlsym uses some is no use by the program */
    void *f = dlsym(RTLD_NEXT, name);
    bool later = !f && dlsym(RTLD_DEFAULT, name);
    fiber_lend_tls(lent);
    if (later)
        rt_fatal("a library of this program was linked with raddle cc and the program itself was not: "
                 "link both with it");
    if (!f)
        rt_fatal("the C library has no function %s", name);
    return f;
}

void *rt_map(void *at, size_t size, const char *what)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    void *p = (void *)syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED || (at && p != at))
        rt_fatal("cannot map %zu bytes for %s", size, what);
    return p;
}

long rt_syscall(long number, const long a[6])
{
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* Also in the handler of a fault, where nothing may look for its caller. */
static int of_memory(long number, void *at, size_t size, int how)
{
    return (int)rt_syscall(number, (long[6]){(long)at, (long)size, how});
}

int rt_protect(void *at, size_t size, int protection)
{
    return of_memory(SYS_mprotect, at, size, protection);
}

int rt_advise(void *at, size_t size, int advice)
{
    return of_memory(SYS_madvise, at, size, advice);
}
