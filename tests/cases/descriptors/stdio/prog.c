/* Streams on both ends of a pipe. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    FILE *f = fdopen(fds[1], "w");
    assert(f && fileno(f) == fds[1]);
    fprintf(f, "hello %d\n", 1);
    fflush(f);
    fputs("world\n", f);
    fclose(f);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char line[64];
    assert(pipe(fds) == 0);
    pthread_create(&t, NULL, writer, NULL);
    FILE *f = fdopen(fds[0], "r");
    assert(fgets(line, sizeof line, f) && !strcmp(line, "hello 1\n"));
    assert(fgets(line, sizeof line, f) && !strcmp(line, "world\n"));
    assert(!fgets(line, sizeof line, f) && feof(f));
    fclose(f);
    pthread_join(t, NULL);
    return 0;
}
