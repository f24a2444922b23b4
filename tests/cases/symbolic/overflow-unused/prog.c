/* Without -O an overflow is found also where nothing becomes of the result, or nothing that depends on it. */
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", -200, 200);
    int more = x, unused;
    if (x > 100) {
        unused = x * 20000000;
        (void)unused;
    } else if (x < 0) {
        unused = 1 << (40 + x);
    } else {
        more += 2147483600; /* BUG */
        more -= 2147483600;
    }
    return more != x;
}
