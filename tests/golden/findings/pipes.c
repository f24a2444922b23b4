#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include <assert.h>
static int pair[2];
static void *peer(void *p)
{
    char c;
    read(pair[1], &c, 1);
    return NULL;
}
int main(void)
{
    int fds[2];
    pthread_t t;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pipe(fds);
    pthread_create(&t, NULL, peer, NULL);
    char c;
    read(fds[0], &c, 1);
    write(pair[0], "x", 1);
    pthread_join(t, NULL);
}
