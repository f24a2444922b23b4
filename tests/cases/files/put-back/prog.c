/* Every execution finds the files as they were. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int x;

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    char folder[64], name[128], other[128], temporary[] = "/tmp/raddle-case-XXXXXX";
    pthread_t t;
    struct stat st;
    snprintf(folder, sizeof folder, "/tmp/raddle-case-%d", (int)getpid());
    snprintf(name, sizeof name, "%s/a", folder);
    snprintf(other, sizeof other, "%s/b", folder);
    assert(mkdir(folder, 0700) == 0); /* never there before */
    int fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(fd >= 0 && write(fd, "hello", 5) == 5);
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(map != MAP_FAILED && map[0] == 'h');
    map[0] = 'H';
    pthread_create(&t, NULL, work, NULL);
    atomic_fetch_add(&x, 1);
    pthread_join(t, NULL);
    assert(rename(name, other) == 0 && stat(name, &st) == -1 && errno == ENOENT);
    FILE *f = fopen(other, "a");
    fputs(" world", f);
    fclose(f);
    char text[32] = "";
    f = fopen(other, "r");
    assert(fgets(text, sizeof text, f) && !strcmp(text, "Hello world"));
    fclose(f);
    assert(unlink(other) == 0);
    assert(mkstemp(temporary) >= 0);
    char *big = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(big != MAP_FAILED && big[1000] == 0);
    big[1000] = 1;
    big = mremap(big, 1 << 20, 2 << 20, MREMAP_MAYMOVE);
    assert(big[1000] == 1);
    munmap(big, 2 << 20);
    return 0; /* the folder, the temporary file and a mapping are left behind */
}
