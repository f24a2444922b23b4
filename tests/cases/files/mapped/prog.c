#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is written to a file shows in memory where it is mapped. raddle does not explore when: it says so. */
static int file;
static atomic_int *memory;

static void *writes(void *arg)
{
    int one = 1;
    assert(pwrite(file, &one, sizeof one, 0) == sizeof one);
    return NULL;
}

int main(void)
{
    file = memfd_create("shared", 0);
    assert(ftruncate(file, 4096) == 0);
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_t a;
    pthread_create(&a, NULL, writes, NULL);
    int seen = atomic_load(memory);
    assert(seen == 0 || seen == 1);
    pthread_join(a, NULL);
    return 0;
}
