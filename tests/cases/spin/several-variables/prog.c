/* A loop that looks at two variables, each set by another thread: whichever is set first ends it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *set_x(void *arg)
{
    x = 1;
    return NULL;
}

static void *set_y(void *arg)
{
    y = 1;
    return NULL;
}

static void *waiter(void *arg)
{
    while (!x && !y)
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&c, NULL, waiter, NULL);
    pthread_create(&a, NULL, set_x, NULL);
    pthread_create(&b, NULL, set_y, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
