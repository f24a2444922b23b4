/* A socket that waits for a time only (SO_RCVTIMEO): what is sent may come too late. Argument: the
 * outcome that must not be. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

static int ends[2];

static void *sends(void *arg)
{
    send(ends[0], "x", 1, 0);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t t;
    char c;
    struct timeval limit = {0, 1000};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    assert(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    pthread_create(&t, 0, sends, 0);
    long got = recv(ends[1], &c, 1, 0);
    assert(got == 1 || errno == EAGAIN);
    pthread_join(t, 0);
    assert(got + 2 != atoi(argv[1]));
    return 0;
}
