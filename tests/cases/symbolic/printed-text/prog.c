/* The number that puts returns is not followed, nor what printf makes of floating point: never
 * safe. */
#include <raddle.h>
#include <stdio.h>

int main(void)
{
    char name[4];
    raddle_input_string(name, sizeof name, "name");
    raddle_assert(puts(name) != 4);
    return 0;
}
