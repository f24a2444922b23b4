/* Every way to get memory: the same addresses in every interleaving, checked like malloc's. */
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_int x;

static void *work(void *arg)
{
    void *p;
    assert(posix_memalign(&p, 256, 100) == 0 && (uintptr_t)p % 256 == 0);
    memset(p, 1, 100);
    char *q = aligned_alloc(64, 128), *r = memalign(32, 10), *s = calloc(3, 5), *v = valloc(10);
    assert((uintptr_t)q % 64 == 0 && (uintptr_t)r % 32 == 0 && (uintptr_t)v % 4096 == 0);
    assert(s[14] == 0 && malloc_usable_size(s) >= 15);
    s = reallocarray(s, 4, 5);
    s[19] = 1;
    if ((uintptr_t)p >> 8 & 1) /* would diverge if it were not the same every time */
        atomic_fetch_add(&x, 1);
    char *onstack = alloca(200);
    memset(onstack, 2, 200);
    char *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(m != MAP_FAILED && m[0] == 0);
    m[8191] = 1;
    m = mremap(m, 8192, 1 << 20, MREMAP_MAYMOVE);
    assert(m != MAP_FAILED && m[8191] == 1 && mprotect(m, 4096, PROT_READ) == 0);
    munmap(m, 1 << 20);
    atomic_fetch_add(&x, 1);
    free(p);
    free(q);
    free(r);
    free(s);
    free(v);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *before = sbrk(0);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(sbrk(4096) == before && sbrk(-4096) == before + 4096);
    return 0;
}
