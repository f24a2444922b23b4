/* Signed overflow is a bug with --check overflow only. */
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", 0, 2147483647);
    volatile int y = x + 1; /* BUG */
    return 0 * y;
}
