/* Nothing that makes or replaces a process is performed: it fails, and is named. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int other(void *arg)
{
    return 0;
}

static void prepare(void)
{
}

int main(void)
{
    char stack[4096], *argv[] = {"true", NULL};
    pid_t pid;
    assert(pthread_atfork(prepare, prepare, prepare) == 0);
    assert(fork() == -1 && errno == ENOSYS);
    assert(vfork() == -1 && errno == ENOSYS);
    assert(execl("/bin/true", "true", (char *)NULL) == -1 && errno == ENOSYS);
    assert(execlp("true", "true", (char *)NULL) == -1 && errno == ENOSYS);
    assert(execv("/bin/true", argv) == -1 && errno == ENOSYS);
    assert(execvp("true", argv) == -1 && errno == ENOSYS);
    assert(execvpe("true", argv, environ) == -1 && errno == ENOSYS);
    assert(execve("/bin/true", argv, environ) == -1 && errno == ENOSYS);
    assert(posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) == ENOSYS);
    assert(posix_spawnp(&pid, "true", NULL, NULL, argv, environ) == ENOSYS);
    assert(system("true") == -1);
    assert(popen("true", "r") == NULL);
    assert(clone(other, stack + sizeof stack, 0, NULL) == -1 && errno == ENOSYS);
    assert(syscall(SYS_fork) == -1 && errno == ENOSYS);
    assert(wait(NULL) == -1 && errno == ECHILD);
    assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
    return 0;
}
