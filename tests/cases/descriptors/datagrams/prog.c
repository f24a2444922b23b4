/* Datagrams between threads, with sendto and recvfrom. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static int s;

static void *sender(void *arg)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert(sendto(fd, arg, 2, 0, (struct sockaddr *)&address, sizeof address) == 2);
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char first[8], second[8];
    struct sockaddr_in from;
    socklen_t size = sizeof address;
    s = socket(AF_INET, SOCK_DGRAM, 0);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(s, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(s, (struct sockaddr *)&address, &size) == 0);
    pthread_create(&a, NULL, sender, "a");
    pthread_create(&b, NULL, sender, "b");
    size = sizeof from;
    assert(recvfrom(s, first, sizeof first, 0, (struct sockaddr *)&from, &size) == 2);
    assert(recvfrom(s, second, sizeof second, 0, NULL, NULL) == 2);
    assert(from.sin_family == AF_INET && first[0] != second[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    close(s);
    return 0;
}
