/* A handler keeps signals back: its own, unless SA_NODEFER, and those of sa_mask. They come when
 * it has ended. */
#include <assert.h>
#include <signal.h>

static int calls, depth, deepest, other;

static void again(int sig)
{
    if (++depth > deepest)
        deepest = depth;
    if (++calls == 1)
        raise(sig);
    depth--;
}

static void count(int sig)
{
    other++;
}

static void first(int sig)
{
    raise(SIGUSR2);
    assert(other == 0);
}

int main(void)
{
    struct sigaction a = {.sa_handler = again, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &a, 0);
    raise(SIGUSR1);
    assert(calls == 2 && deepest == 2);

    calls = deepest = 0;
    a.sa_flags = 0;
    sigaction(SIGUSR1, &a, 0);
    raise(SIGUSR1);
    assert(calls == 2 && deepest == 1);

    a.sa_handler = first;
    sigaddset(&a.sa_mask, SIGUSR2);
    sigaction(SIGUSR1, &a, 0);
    signal(SIGUSR2, count);
    raise(SIGUSR1);
    assert(other == 1);
    return 0;
}
