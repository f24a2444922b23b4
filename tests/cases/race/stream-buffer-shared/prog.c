/* Two threads use streams that work in memory of the program's, each in its turn: no race. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *f, *out, *grown;
static char buffer[100], memory[100], *text;
static size_t length;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *arg)
{
    fputs("ab", f);
    pthread_mutex_lock(&m);
    fputs("cd", out);
    fflush(out);
    fputs("ef", grown);
    fflush(grown);
    assert(!strncmp(memory, "cdcd", strlen(memory)) && !strncmp(text, "efef", length));
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    f = tmpfile();
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    out = fmemopen(memory, sizeof memory, "w");
    grown = open_memstream(&text, &length);
    pthread_create(&t, NULL, writes, NULL);
    writes(NULL);
    pthread_join(t, NULL);
    fclose(f);
    fclose(out);
    fclose(grown);
    memset(buffer, 0, sizeof buffer);
    assert(!strcmp(memory, "cdcd") && !strcmp(text, "efef"));
    free(text);
    return 0;
}
