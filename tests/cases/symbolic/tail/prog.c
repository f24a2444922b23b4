/* The result of a call that takes the place of its caller. */
#include <raddle.h>

static __attribute__((noinline)) int triple(int x)
{
    return x * 3;
}

static __attribute__((noinline)) int next(int x)
{
    __attribute__((musttail)) return triple(x + 1);
}

int main(void)
{
    int x = raddle_input_int("x", 0, 40);
    raddle_assert(next(x) != 66); /* BUG */
    return 0;
}
