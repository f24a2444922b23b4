/* Figure 2.3 of Kähkönen's thesis: the error is reached only if the product overflows. */
#include <raddle.h>
#include <limits.h>

int main(void)
{
    int x = raddle_input_int("x", INT_MIN, INT_MAX), y = raddle_input_int("y", INT_MIN, INT_MAX);
    if (x > y)
        if (x * y == 1452)
            if (x / 2 == 5)
                raddle_assert(0); /* BUG */
    return 0;
}
