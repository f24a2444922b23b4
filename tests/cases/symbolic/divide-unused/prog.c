/* Divisions that a compiler leaves out: the result is not needed, or is the same whatever the divisor,
 * unless that is 0. */
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", 0, 1000), unused = 0;
    if (x < 500)
        return x / (x + 1) == 1000;
#ifdef UNUSED
    unused = 7 % (x - 600); /* BUG-UNUSED */
#elif defined ITSELF
    return (x - 700) / (x - 700) == 2; /* BUG-ITSELF */
#elif defined NOTHING
    return 0 / (x - 800); /* BUG-NOTHING */
#endif
    return 0;
}
