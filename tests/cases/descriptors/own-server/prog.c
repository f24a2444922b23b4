/* A server and its client are threads of one program. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0raddle-own-server"};

static void *client(void *arg)
{
    char c = 0;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(s, (struct sockaddr *)&name, sizeof name) == 0);
    assert(write(s, "q", 1) == 1);
    assert(read(s, &c, 1) == 1 && c == 'a');
    close(s);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    int l = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(l, (struct sockaddr *)&name, sizeof name) == 0 && listen(l, 2) == 0);
    pthread_create(&t, NULL, client, NULL);
    int s = accept(l, NULL, NULL);
    assert(s >= 0 && read(s, &c, 1) == 1 && c == 'q');
    assert(write(s, "a", 1) == 1);
    pthread_join(t, NULL);
    close(s);
    close(l);
    return 0;
}
