/* The child's status is looked at. There is no child, since raddle makes none: that the assertion fails
 * follows from that, and is no bug of the program. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    waitpid(child, &status, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    return 0;
}
