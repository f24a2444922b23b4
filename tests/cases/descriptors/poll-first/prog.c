/* The poll is the first to look at the pipe: it times out, or what is written comes first. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int p[2];

static void *writer(void *arg)
{
    return write(p[1], "x", 1) == 1 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    struct pollfd fd;
    if (pipe(p))
        return 1;
    pthread_create(&t, NULL, writer, NULL);
    fd = (struct pollfd){p[0], POLLIN, 0};
    poll(&fd, 1, 10);
    pthread_join(t, NULL);
    return 0;
}
