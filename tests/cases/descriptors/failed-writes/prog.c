// Two pipes are full. A write that finds no room fails, and it matters whether the other thread has
// read before: three of the four combinations are possible.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int pipes[2][2];
static char page[4096];

static void *thread(void *arg)
{
    long me = (long)arg;
    char mine[4096];
    ssize_t wrote = write(pipes[me][1], page, sizeof page);
    ssize_t got = read(pipes[!me][0], mine, sizeof mine);
    assert(got == sizeof mine);
    return (void *)(wrote == sizeof page);
}

int main(void)
{
    pthread_t t[2];
    void *wrote[2];
    for (int i = 0; i < 2; i++) {
        assert(pipe2(pipes[i], O_NONBLOCK) == 0);
        fcntl(pipes[i][1], F_SETPIPE_SZ, sizeof page);
        assert(write(pipes[i][1], page, sizeof page) == sizeof page);
    }
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &wrote[i]);
    assert(!wrote[0] || !wrote[1]);
    return 0;
}
