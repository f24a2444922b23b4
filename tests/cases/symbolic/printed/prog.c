/* How many characters were printed depends on the input. */
#include <raddle.h>
#include <stdio.h>

int main(void)
{
    int n = raddle_input_int("n", -2000, 2000), m = raddle_input_int("m", 0, 300);
    char name[4];
    raddle_input_string(name, sizeof name, "name");
    if (fprintf(stderr, "%d %s\n", n, name) == 8 && putchar(m & 127) == 'q')
        raddle_assert(n >= 0 || printf("%3d%%\n", m) != 5); /* BUG */
    return 0;
}
