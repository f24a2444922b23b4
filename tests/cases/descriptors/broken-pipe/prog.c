/* The reader may be gone when the writer writes. */
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *reader(void *arg)
{
    close(fds[0]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pipe(fds);
    pthread_create(&t, NULL, reader, NULL);
    write(fds[1], "x", 1); /* BUG */
    pthread_join(t, NULL);
    return 0;
}
