/* The range of an input, and the number of a choice, are inputs themselves. */
#include <raddle.h>

int main(void)
{
    int m = raddle_input_int("m", 0, 3);
    int n = raddle_input_int("n", 0, m), k = raddle_choose(1 + m);
    if (n == 2 && k == 3)
        raddle_assert(m != 3); /* BUG */
    return 0;
}
