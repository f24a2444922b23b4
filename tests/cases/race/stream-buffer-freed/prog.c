/* … which another thread frees while the stream is still in use, if it comes first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *f;
static char *buffer;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *arg)
{
    pthread_mutex_lock(&m);
    fprintf(f, "%d", 1); /* BUG */
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    f = tmpfile();
    buffer = malloc(BUFSIZ);
    setbuf(f, buffer);
    pthread_create(&t, NULL, writes, NULL);
    pthread_mutex_lock(&m);
    free(buffer);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
