/* One polls two pipes that two others write to: which of them it finds ready. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int a[2], b[2], found;

static void *send(void *to)
{
    write(*(int *)to, "x", 1);
    return NULL;
}

static void *look(void *arg)
{
    struct pollfd p[2] = {{a[0], POLLIN, 0}, {b[0], POLLIN, 0}};
    poll(p, 2, -1);
    found = (p[0].revents != 0) + 2 * (p[1].revents != 0);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pipe(a);
    pipe(b);
    pthread_create(&t[0], NULL, look, NULL);
    pthread_create(&t[1], NULL, send, &a[1]);
    pthread_create(&t[2], NULL, send, &b[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(found != FORBIDDEN);
    return 0;
}
