/* Input and output by threads of the C library or by the kernel on its own, and pipes with names. */
#define _GNU_SOURCE
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    char c;
    struct aiocb a = {.aio_fildes = 0, .aio_buf = &c, .aio_nbytes = 1};
    assert(aio_read(&a) == -1 && errno == ENOSYS);
    assert(mkfifo("/tmp/raddle-fifo", 0600) == 0);
    assert(open("/tmp/raddle-fifo", O_RDONLY) == -1 && errno == ENOSYS);
    syscall(SYS_io_uring_setup, 0, NULL);
    return 0;
}
