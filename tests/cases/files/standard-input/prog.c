/* Two threads read standard input: who reads first gets what comes first. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int got[2];

static void *reader(void *arg)
{
    char c = 0;
#if defined STREAM
    c = (char)getchar();
#elif defined POSITION
    c = (char)lseek(STDIN_FILENO, 1, SEEK_CUR);
#else
    ssize_t n = read(STDIN_FILENO, &c, 1);
    assert(n == 1);
#endif
    got[(long)arg] = c;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int fd = memfd_create("input", 0);
    ssize_t n = write(fd, "abc", 3);
    assert(n == 3);
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(got[0] < got[1]); /* BUG */
    return 0;
}
