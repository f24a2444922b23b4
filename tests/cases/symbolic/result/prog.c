/* What a thread gives back depends on an input, by return and by pthread_exit. */
#include <pthread.h>
#include <raddle.h>

static void *returns(void *unused)
{
    return (void *)(long)(raddle_input_int("x", 0, 1000) * 3);
}

static void *exits(void *unused)
{
    pthread_exit((void *)(long)(raddle_input_int("y", 0, 1000) - 5));
}

int main(void)
{
    pthread_t t, u;
    void *x, *y;
    pthread_create(&t, NULL, returns, NULL);
    pthread_create(&u, NULL, exits, NULL);
    pthread_join(t, &x);
    pthread_join(u, &y);
    raddle_assert((long)x + (long)y != 2995 + 3); /* BUG */
    return 0;
}
