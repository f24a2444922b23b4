/* What a stream holds back comes into the file when it is closed. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "/tmp/raddle-closed-XXXXXX";
static FILE *f;

static void *closes(void *arg)
{
    fclose(f);
    return NULL;
}

int main(int argc, char **argv)
{
    f = fdopen(mkstemp(name), "w");
    fputs("abc", f);
    pthread_t t;
    pthread_create(&t, NULL, closes, NULL);
    struct stat st;
    stat(name, &st);
    assert((st.st_size == 3) != atoi(argv[1])); /* BUG */
    pthread_join(t, NULL);
    unlink(name);
    return 0;
}
