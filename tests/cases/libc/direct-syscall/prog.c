/* A system call nobody controls is named and makes the verdict incomplete. */
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    syscall(SYS_inotify_init1, 0);
    return 0;
}
