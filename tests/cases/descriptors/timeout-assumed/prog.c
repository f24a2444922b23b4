/* Assumes that a poll with a timeout always finds the data. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    write(fds[1], "x", 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pipe(fds);
    pthread_create(&t, NULL, writer, NULL);
    struct pollfd p = {.fd = fds[0], .events = POLLIN};
    assert(poll(&p, 1, 1000) == 1); /* BUG */
    pthread_join(t, NULL);
    return 0;
}
