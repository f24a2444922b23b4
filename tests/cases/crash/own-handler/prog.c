#include <stdlib.h>

/* A handler for SIGSEGV does not hide the crash. */
#include <signal.h>
#include <unistd.h>

static void handler(int sig)
{
    _exit(0);
}

int main(void)
{
    volatile int *volatile p = NULL;
    signal(SIGSEGV, handler);
    *p = 1; /* BUG */
    return 0;
}
