/* The result of a thread of C11, an int. */
#include <raddle.h>
#include <threads.h>

static int run(void *unused)
{
    return raddle_input_int("x", -1000, 1000) * 3;
}

int main(void)
{
    thrd_t t;
    int x;
    thrd_create(&t, run, NULL);
    thrd_join(t, &x);
    raddle_assert(x != -66); /* BUG */
    return 0;
}
