/* An input that goes through a pipe to another thread: what is written is tried with each value. */
#include <pthread.h>
#include <raddle.h>
#include <unistd.h>

static int ends[2];

static void *receives(void *unused)
{
    unsigned char b;
    if (read(ends[0], &b, 1) == 1)
        raddle_assert(b != 57); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned char x = raddle_input_uchar("x", 0, MOST);
    if (pipe(ends))
        return 1;
    pthread_create(&t, NULL, receives, NULL);
    if (write(ends[1], &x, 1) != 1)
        return 1;
    pthread_join(t, NULL);
    return 0;
}
