/* Bits that are counted, turned round and searched: few paths for 2^64 values. */
#include <raddle.h>
#include <strings.h>

int main(void)
{
    unsigned x = raddle_input_uint("x", 0, 0xffffffff);
    unsigned long y = raddle_input_ulong("y", 0, ~0ul);
    unsigned char z = raddle_input_uchar("z", 0, 255);
    if (__builtin_popcount(x) == 3 && ffs((int)x) == 9 && __builtin_clz(x) == 0)
        raddle_assert((x & 0x7ffffe00) != 0x10000); /* BUG */
    if (__builtin_clzl(y) == 8 && ffsl((long)y) == 1 && __builtin_popcountl(y) == 3)
        raddle_assert(__builtin_rotateleft64(y, 13) != 0x2011 && __builtin_parityl(y));
    raddle_assert(__builtin_bitreverse8(__builtin_bitreverse8(z)) == z);
    raddle_assert(__builtin_rotateright8(z, 3) == (unsigned char)(z >> 3 | z << 5));
    return 0;
}
