/* Comparison with a constant of 12 characters: it differs at one of them, or not at all. */
#include <raddle.h>

static int same(const char *a, const char *b)
{
    while (*b && *a == *b)
        a++, b++;
    return !*b;
}

int main(void)
{
    char line[16];
    raddle_input_string(line, sizeof line, "line");
    if (same(line, "open sesame!"))
        raddle_assert(line[0] == 'x'); /* BUG */
    return 0;
}
