/* Both threads read first. */
#include <pthread.h>
#include <unistd.h>

static int ab[2], ba[2];

static void *other(void *arg)
{
    char c;
    read(ab[0], &c, 1);
    write(ba[1], &c, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    pipe(ab);
    pipe(ba);
    pthread_create(&t, NULL, other, NULL);
    read(ba[0], &c, 1); /* BUG */
    write(ab[1], &c, 1);
    pthread_join(t, NULL);
    return 0;
}
