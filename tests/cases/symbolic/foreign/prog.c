/* What a library does with symbolic memory is not followed, and that is said. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    char line[6];
    double n = 0;
    raddle_input_string(line, sizeof line, "line");
    n = strtod(line, NULL);
    raddle_assert(n != 77);
    return 0;
}
