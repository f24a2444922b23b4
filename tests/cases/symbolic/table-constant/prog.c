/* A constant table read with an input as index is one expression: no path for each entry. */
#include <raddle.h>

static const unsigned short table[200] = {[0 ... 198] = 7, [150] = 77, [199] = 9};

int main(void)
{
    unsigned i = raddle_input_uint("i", 0, 199);
    raddle_assert(table[i] != 77); /* BUG */
    return 0;
}
