#include <assert.h>
#include <threads.h>

static mtx_t m;
static int n;

static int work(void *arg)
{
    mtx_lock(&m);
    int v = n;
    mtx_unlock(&m);
    mtx_lock(&m);
    n = v + 1;
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, work, NULL);
    work(NULL);
    thrd_join(t, NULL);
    assert(n == 2); /* BUG */
    return 0;
}
