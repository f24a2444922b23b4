/* Two threads close the same end of a pipe: either may be the one that finds it closed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int end[2];
static atomic_int steps;

static void *one(void *unused)
{
    steps++;
    int status = close(end[1]);
    assert(status == 0 || !ONE); // ONE
    return unused;
}

static void *other(void *unused)
{
    int status = close(end[1]);
    assert(status == 0 || ONE); // OTHER
    return unused;
}

int main(void)
{
    pthread_t t[2];
    assert(pipe(end) == 0);
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
