/* Thread-local variables are first used in the middle of an execution, by a thread other than main,
 * and only in some executions: every thread must still find its own, with its initial value, and errno
 * of one thread must not be seen in another. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Thread_local int mine = 7;
static _Thread_local char wide[300];
static atomic_int turn;

static void use(int number)
{
    assert(mine == 7 && wide[299] == 0 && errno == 0);
    mine = number;
    wide[299] = (char)number;
    errno = number;
}

static void *work(void *arg)
{
    int number = (int)(long)arg, before = atomic_fetch_add(&turn, 1);
    if (before == 0)
        return NULL; /* the first does not use any */
    use(number);
    atomic_fetch_add(&turn, 10);
    assert(mine == number && wide[299] == number && errno == number);
    return &mine;
}

int main(void)
{
    pthread_t t[3];
    void *seen[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], &seen[i]);
    assert(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
    use(9);
    return 0;
}
