/* A thread still writes to a descriptor when another closes it, and a third opens a file: what was meant for
 * one file is in the other. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char log_file[] = "/tmp/raddle-log-XXXXXX", data_file[] = "/tmp/raddle-data-XXXXXX";
static int log_fd;

static void *writes(void *arg)
{
    write(log_fd, "text", 4);
    return NULL;
}

static void *closes(void *arg)
{
    close(log_fd);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct stat st;
    log_fd = mkstemp(log_file);
    close(mkstemp(data_file));
    pthread_create(&a, NULL, writes, NULL);
    pthread_create(&b, NULL, closes, NULL);
    int fd = open(data_file, O_WRONLY);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    stat(data_file, &st);
#ifdef WAITS
    assert(st.st_size == 0 || fd == log_fd);
#else
    assert(st.st_size == 0); /* BUG */
#endif
    close(fd);
    unlink(log_file);
    unlink(data_file);
    return 0;
}
