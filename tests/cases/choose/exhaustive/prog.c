#include <assert.h>

#include <raddle.h>

int main(void)
{
    int a = raddle_choose(3), b = raddle_choose(4);
    raddle_note("a = %d, b = %d", a, b);
    raddle_assert(a * b != 6); /* BUG */
    return 0;
}
