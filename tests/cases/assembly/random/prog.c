/* Random numbers of the processor are not pinned, which is said, though they are not drawn here. */
#include <immintrin.h>

int main(int argc, char **argv)
{
    unsigned x = 0;
    unsigned long long y = 0;
    if (argc > 5)
        while (!_rdrand32_step(&x) || !_rdseed64_step(&y))
            ;
    return x == 1 && y == 1;
}
