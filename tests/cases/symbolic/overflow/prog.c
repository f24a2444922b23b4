/* Reachable only if a sum overflows: Kahkonen, figure 2.3 in spirit. */
#include <raddle.h>

int main(void)
{
    unsigned x = raddle_input_uint("x", 0, 0xffffffffu), y = raddle_input_uint("y", 0, 0xffffffffu);
    if (x > 1000 && y > 1000 && x + y < 1000)
        raddle_assert(0); /* BUG */
    return 0;
}
