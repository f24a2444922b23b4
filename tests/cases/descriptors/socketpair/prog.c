/* Request and answer over a pair of sockets, with send, recv, sendmsg, readv and shutdown. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int s[2];

static void *server(void *arg)
{
    char c;
    while (recv(s[1], &c, 1, 0) == 1) {
        c++;
        assert(send(s[1], &c, 1, 0) == 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c = 'a';
    struct iovec v = {&c, 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
    pthread_create(&t, NULL, server, NULL);
    assert(sendmsg(s[0], &m, 0) == 1);
    assert(readv(s[0], &v, 1) == 1 && c == 'b');
    shutdown(s[0], SHUT_WR);
    pthread_join(t, NULL);
    return 0;
}
