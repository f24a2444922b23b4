/* A shift by as much as the width. */
#include <raddle.h>

int main(void)
{
    unsigned n = raddle_input_uint("n", 0, 40);
    volatile unsigned y = 1u << n; /* BUG */
    return 0 * y;
}
