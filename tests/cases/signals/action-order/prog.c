/* Two threads set what a signal does, a third one raises it: each handler may run, or that of
 * before (argument: it is not this one). A look at it sees either too. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static int ran;

static void before(int sig)
{
    ran = 1;
}

static void one(int sig)
{
    ran = 2;
}

static void two(int sig)
{
    ran = 3;
}

static void *sets_one(void *arg)
{
    signal(SIGUSR1, one);
    return 0;
}

static void *sets_two(void *arg)
{
    struct sigaction old;
    signal(SIGUSR1, two);
    sigaction(SIGUSR1, 0, &old);
    return (void *)(old.sa_handler == one);
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    void *overtaken;
    signal(SIGUSR1, before);
    pthread_create(&a, 0, sets_one, 0);
    pthread_create(&b, 0, sets_two, 0);
    raise(SIGUSR1);
    pthread_join(a, 0);
    pthread_join(b, &overtaken);
    assert(ran + (overtaken ? 10 : 0) != atoi(argv[1]));
    return 0;
}
