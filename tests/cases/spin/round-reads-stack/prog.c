/* What rounds read lies on the stack of the thread that waits, and another one writes it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, other;
static int *_Atomic where;

static void *waits(void *arg)
{
    int flag = 0;
    where = &flag;
    while (!y)
        if (flag)
            break;
    return arg;
}

static void *sets(void *arg)
{
    int *p = where;
    (void)other;
    if (p)
        *p = 0;
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waits, NULL);
    pthread_create(&t[1], NULL, sets, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
