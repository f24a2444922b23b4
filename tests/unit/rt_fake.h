/* The rest of the runtime, for unit tests of single files of it: they are included as source after
 * this header. What they say is recorded. */
#ifndef TEST_RT_FAKE_H
#define TEST_RT_FAKE_H

#include "rt/check/finding.h"
#include "rt/core/orbit.h"
#include "rt/core/rt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <cmocka.h>

struct rt rt;
static struct thread fake_threads[EVENT_MAX_THREADS];
static char fake_incomplete[256];

/* No threads are alike here. */
void orbit_meets(int thread)
{
}

void orbit_shown(struct thread *t)
{
}

void rt_copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

void rt_fill(void *to, int byte, size_t n)
{
    memset(to, byte, n);
}

void *rt_map(void *at, size_t size, const char *what)
{
    void *p = mmap(at, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    assert_true(p != MAP_FAILED && (!at || p == at));
    return p;
}

int rt_advise(void *at, size_t size, int advice)
{
    return madvise(at, size, advice);
}

#define FAKE_FORMAT(to)                                                                            \
    do {                                                                                           \
        va_list ap;                                                                                \
        va_start(ap, fmt);                                                                         \
        vsnprintf(to, sizeof to, fmt, ap);                                                         \
        va_end(ap);                                                                                \
    } while (0)

void finding_incomplete(const char *fmt, ...)
{
    FAKE_FORMAT(fake_incomplete);
}

void finding_limit(enum limit_kind which, uint64_t at)
{
    limit_words(which, at, fake_incomplete, sizeof fake_incomplete);
}

int rt_format(char *out, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(out, size, fmt, ap);
    va_end(ap);
    return n;
}

static inline double fake_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Thread `id` runs; its clock knows only itself. */
static inline void fake_thread(int id)
{
    rt.all = fake_threads;
    rt.current = id;
    rt.self = &fake_threads[id];
    rt.self->id = id;
    struct vclock *c = &fake_threads[id].clock;
    if (c->n <= (uint32_t)id) {
        *c = (struct vclock){.n = (uint32_t)id + 1};
        c->c[id] = 1;
    }
}

#endif
