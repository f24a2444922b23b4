#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* The same memory at two addresses: an update can be lost, but raddle sees two variables. It says so. */
static atomic_int *p, *q;

static void *one(void *arg)
{
    int n = atomic_load(p);
    atomic_store(p, n + 1);
    return NULL;
}

static void *other(void *arg)
{
    int n = atomic_load(q);
    atomic_store(q, n + 1);
    return NULL;
}

int main(void)
{
    int fd = memfd_create("shared", 0);
    assert(ftruncate(fd, 4096) == 0);
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    q = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
