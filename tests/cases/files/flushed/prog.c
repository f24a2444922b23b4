/* What a stream holds back comes into the file when it is flushed; its end is seen by feof. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static FILE *f, *empty;

static void *flushes(void *arg)
{
    fflush(f);
    fgetc(empty);
    return NULL;
}

int main(int argc, char **argv)
{
    f = tmpfile();
    empty = tmpfile();
    fputs("abc", f);
    pthread_t t;
    pthread_create(&t, NULL, flushes, NULL);
    struct stat st;
    fstat(fileno(f), &st);
    int seen = (st.st_size == 3) + 2 * (feof(empty) != 0);
    assert(seen != atoi(argv[1])); /* BUG */
    pthread_join(t, NULL);
    return 0;
}
