/* Two readers, one byte: who gets it? The other one waits for ever. */
#include <pthread.h>
#include <unistd.h>

static int p[2];

static void *reader(void *arg)
{
    char c;
    return read(p[0], &c, 1) == 1 ? NULL : arg; /* STUCK */
}

int main(void)
{
    pthread_t a, b;
    if (pipe(p))
        return 1;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    if (write(p[1], "x", 1) != 1)
        return 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
