/* Two threads take something each from one stream, by different functions. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static FILE *f;
static int scanned, line;

static void *scans(void *arg)
{
    fscanf(f, "%d", &scanned);
    return arg;
}

static void *takes(void *arg)
{
    char *text = NULL;
    size_t room = 0;
    getdelim(&text, &room, ' ', f);
    line = atoi(text);
    free(text);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    f = tmpfile();
    fputs("1 2 ", f);
    rewind(f);
    pthread_create(&t[0], NULL, scans, NULL);
    pthread_create(&t[1], NULL, takes, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    fclose(f);
    assert(line != 1); /* BUG */
    return 0;
}
