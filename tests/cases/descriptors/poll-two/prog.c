/* Waits for either of two pipes. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int p[2], q[2];

static void *write_p(void *arg)
{
    return write(p[1], "x", 1) == 1 ? NULL : arg;
}

static void *write_q(void *arg)
{
    return write(q[1], "x", 1) == 1 ? NULL : arg;
}

static void *waiter(void *arg)
{
    struct pollfd fds[2] = {{p[0], POLLIN, 0}, {q[0], POLLIN, 0}};
    poll(fds, 2, -1);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    if (pipe(p) || pipe(q))
        return 1;
    pthread_create(&c, NULL, waiter, NULL);
    pthread_create(&a, NULL, write_p, NULL);
    pthread_create(&b, NULL, write_q, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
