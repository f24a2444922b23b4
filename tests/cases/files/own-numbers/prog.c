/* Threads that use their own descriptors only: who has which number is noticed by nobody. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *reads(void *path)
{
    char c;
    int fd = open(path, O_RDONLY), copy = dup(fd);
    assert(read(copy, &c, 1) == 1);
    close(copy);
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reads, "/etc/passwd");
    pthread_create(&b, NULL, reads, "/etc/group");
    FILE *f = fopen("/etc/hosts", "r");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(f);
    return 0;
}
