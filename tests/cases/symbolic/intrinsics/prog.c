/* What the compiler has instructions of its own for is followed: one value of 2^32 fails. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    unsigned x;
    int sum;
    raddle_input(&x, sizeof x, "x");
    if (__builtin_expect(__builtin_bswap32(x) == 0x04030280, 0)) {
        int y = -(int)(x & 0xffff);
        raddle_assert(abs(y) == 0x0304 && !__builtin_sub_overflow((int)x, 0x7f000000, &sum)); /* BUG */
    }
    return 0;
}
