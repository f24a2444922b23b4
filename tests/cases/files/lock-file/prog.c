/* A file as a lock: who makes it first has it. The other looks again until it is gone. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64] = "/tmp/raddle-lock-XXXXXX";
static int inside, order[2], n;

static void *enter(void *number)
{
    int fd;
    while ((fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0)
        sched_yield();
    assert(++inside == 1);
    order[n++] = (int)(long)number;
    inside--;
    close(fd);
    unlink(path);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    close(mkstemp(path));
    unlink(path);
    pthread_create(&a, NULL, enter, (void *)1);
    pthread_create(&b, NULL, enter, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef ORDER
    assert(order[0] != ORDER); /* BUG */
#endif
    return 0;
}
