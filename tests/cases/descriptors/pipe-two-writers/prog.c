/* Two writers and one reader of a pipe. A read that finds nothing is an event of its own, so there are
 * twelve orders, which every engine finds. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *writer(void *arg)
{
    assert(write(fds[1], arg, 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    char c[2];
    assert(pipe(fds) == 0);
    pthread_create(&t[0], NULL, writer, "a");
    pthread_create(&t[1], NULL, writer, "b");
    assert(read(fds[0], &c[0], 1) == 1);
    assert(read(fds[0], &c[1], 1) == 1);
    assert(c[0] != c[1]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
