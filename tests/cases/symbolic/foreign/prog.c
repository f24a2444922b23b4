/* What a library does with symbolic memory is not followed, and that is said. */
#include <raddle.h>
#include <stdio.h>

int main(void)
{
    char line[6];
    int n = 0;
    raddle_input_string(line, sizeof line, "line");
    sscanf(line, "%d", &n);
    raddle_assert(n != 77);
    return 0;
}
