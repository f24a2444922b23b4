/* An index that can lie outside of a global array: asked of the solver, not met by chance. */
#include <raddle.h>

static int sizes[10], other[1000];

int main(void)
{
    int i = raddle_input_int("i", 0, 1000000);
    sizes[0] = other[0] = 1;
    if (i != 10)
        return sizes[i % 11] < 0; /* BUG */
    return 0;
}
