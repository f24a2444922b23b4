/* A divisor that can be zero for one input. */
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", -1000000, 1000000);
    return 12345 / (x * 3 - 51) == 77; /* BUG */
}
