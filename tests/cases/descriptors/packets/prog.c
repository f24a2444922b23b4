/* Packets of several buffers over a socket pair with sendmsg and recvmsg. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int s[2];

static void *sender(void *arg)
{
    char one[] = "ab", two[] = "cde";
    struct iovec v[2] = {{one, 2}, {two, 3}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    assert(sendmsg(s[1], &m, 0) == 5);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char one[4] = "", two[4] = "";
    struct iovec v[2] = {{one, 2}, {two, 3}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s) == 0);
    pthread_create(&t, NULL, sender, NULL);
    assert(recvmsg(s[0], &m, 0) == 5 && !strcmp(one, "ab") && !strcmp(two, "cde"));
    pthread_join(t, NULL);
    return 0;
}
