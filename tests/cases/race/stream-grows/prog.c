/* How long the text of a stream is, is read without order. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *f;
static char *text;
static size_t length;

static void *writes(void *arg)
{
    fputs("something", f);
    fflush(f); /* BUG */
    return arg;
}

int main(void)
{
    pthread_t t;
    f = open_memstream(&text, &length);
    pthread_create(&t, NULL, writes, NULL);
    size_t seen = length;
    pthread_join(t, NULL);
    fclose(f);
    free(text);
    return seen == 1000;
}
