/* The status that the program ends with depends on an input. */
#include <raddle.h>

int main(void)
{
    return raddle_input_int("x", 0, 100000) == 33333;
}
