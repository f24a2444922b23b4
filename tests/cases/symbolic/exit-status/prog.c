/* … and that exit is called with. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    exit(raddle_input_int("x", 0, 100000) == 33333);
}
