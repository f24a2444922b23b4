/* More than a pipe holds: the writer blocks until the reader has read; the end comes with close. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];
static char data[100000];

static void *writer(void *arg)
{
    assert(write(fds[1], data, sizeof data) == sizeof data);
    close(fds[1]);
    return NULL;
}

int main(void)
{
    static char to[30000];
    pthread_t t;
    long n, sum = 0;
    assert(pipe(fds) == 0);
    pthread_create(&t, NULL, writer, NULL);
    while ((n = read(fds[0], to, sizeof to)) > 0)
        sum += n;
    assert(sum == sizeof data);
    pthread_join(t, NULL);
    return 0;
}
