/* Ten independent bytes: 2^10 paths. */
#include <raddle.h>

int main(void)
{
    unsigned char b[10];
    int n = 0;
    raddle_input(b, sizeof b, "bytes");
    for (int i = 0; i < 10; i++)
        if (b[i] > 100)
            n++;
    raddle_assert(n <= 10);
    return 0;
}
