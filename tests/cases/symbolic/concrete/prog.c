/* A value with many possibilities goes into a library: not all are tried, and that is said. */
#include <math.h>
#include <raddle.h>

int main(void)
{
    unsigned x = raddle_input_uint("x", 0, 1000000);
    volatile double d = x;
    return d < 0;
}
