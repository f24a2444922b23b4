/* The lowest number divided by -1. */
#include <raddle.h>

int main(void)
{
    int x, y;
    raddle_input(&x, sizeof x, "x");
    raddle_input(&y, sizeof y, "y");
    raddle_assume(y != 0);
    return x / y == 123456 && x % y == 99999; /* BUG */
}
