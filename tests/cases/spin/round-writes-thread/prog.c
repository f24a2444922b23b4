/* In each round a thread writes a variable of its own that another thread reads. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y;
static int *_Atomic where;
int seen;

static __attribute__((noinline)) int waits(int *flag)
{
    int v = y;
    *flag = 1;
    return v;
}

static void *looks(void *arg)
{
    int *p = where;
    if (p)
        seen = *p;
    y = 1;
    return arg;
}

static void *starts(void *arg)
{
    pthread_t t;
    int flag = 1;
    where = &flag;
    pthread_create(&t, NULL, looks, NULL);
    while (!waits(&flag)) {
    }
    pthread_join(t, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, starts, NULL);
    pthread_join(t, NULL);
    return 0;
}
