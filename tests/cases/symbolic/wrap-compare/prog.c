/* Comparisons that only an overflow turns round, as programs look for one. */
#include <limits.h>
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", 0, INT_MAX);
#ifdef COUNTS
    int rounds = 0;
    for (int i = x; i >= 0 && rounds < 2; i++)
        rounds++;
    raddle_assert(rounds == 2); /* BUG-COUNTS */
#else
    raddle_assert(x + 1 > x); /* BUG-COMPARES */
#endif
    return 0;
}
