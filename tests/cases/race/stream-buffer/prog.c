/* A stream works in a buffer of the program's, which another thread writes to without order. */
#include <pthread.h>
#include <stdio.h>

static FILE *f;
static char buffer[512];

static void *writes(void *arg)
{
    fputs("something", f); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    f = tmpfile();
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    pthread_create(&t, NULL, writes, NULL);
    buffer[300] = 1;
    pthread_join(t, NULL);
    fclose(f);
    return 0;
}
