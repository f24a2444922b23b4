/* A thread that reads from a pipe is cancelled while another one writes. */
#include <pthread.h>
#include <unistd.h>

static int p[2];

static void *reader(void *arg)
{
    char c;
    return read(p[0], &c, 1) == 1 ? NULL : arg;
}

static void *writer(void *arg)
{
    return write(p[1], "x", 1) == 1 ? NULL : arg;
}

int main(void)
{
    pthread_t a, b;
    if (pipe(p))
        return 1;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
