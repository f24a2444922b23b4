/* Two reads that find nothing commute: five traces of two readers and a writer. */
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd;

static void *reads(void *arg)
{
    uint64_t v;
    return read(fd, &v, sizeof v) < 0 ? arg : NULL;
}

static void *writes(void *arg)
{
    uint64_t v = 1;
    return write(fd, &v, sizeof v) < 0 ? arg : NULL;
}

int main(void)
{
    pthread_t t[3];
    fd = eventfd(0, EFD_NONBLOCK);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, i < 2 ? reads : writes, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
