/* A descriptor that is closed twice: between the two another thread may have opened a file, which has the
 * number now. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;

static void *twice(void *arg)
{
    close(fd);
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char c;
    fd = open("/etc/passwd", O_RDONLY);
    pthread_create(&t, NULL, twice, NULL);
    int own = open("/etc/group", O_RDONLY);
    assert(read(own, &c, 1) == 1); /* BUG */
    close(own);
    pthread_join(t, NULL);
    return 0;
}
