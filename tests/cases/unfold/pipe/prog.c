/* Two threads write into a pipe and two read from it: who waits there goes on when there is something. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fd[2];
static char got[2];

static void *writer(void *arg)
{
    write(fd[1], arg, 1);
    return NULL;
}

static void *reader(void *arg)
{
    read(fd[0], arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    pipe(fd);
    pthread_create(&t[0], NULL, writer, "a");
    pthread_create(&t[1], NULL, writer, "b");
    pthread_create(&t[2], NULL, reader, &got[0]);
    pthread_create(&t[3], NULL, reader, &got[1]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 'a' + 'b');
    assert(got[0] == 'a');
    return 0;
}
