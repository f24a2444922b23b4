/* C11 allows to unlock only what the thread holds. */
#include <threads.h>

static mtx_t m;

static int works(void *arg)
{
    mtx_unlock(&m); /* BUG */
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain | mtx_recursive);
    thrd_create(&t, works, NULL);
    mtx_lock(&m);
    mtx_unlock(&m);
    thrd_join(t, NULL);
    return 0;
}
