/* What a stream has written to memory is read without order. */
#include <pthread.h>
#include <stdio.h>

static FILE *f;
static char memory[100];

static void *writes(void *arg)
{
    fputs("something", f);
    fclose(f); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    f = fmemopen(memory, sizeof memory, "w");
    pthread_create(&t, NULL, writes, NULL);
    char first = *(volatile char *)memory;
    pthread_join(t, NULL);
    return first == 'x';
}
