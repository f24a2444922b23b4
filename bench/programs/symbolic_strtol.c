/* strtol of 5 characters that are inputs: every way that a number can be written. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    char text[6], *end;
    raddle_input_string(text, sizeof text, "text");
    long v = strtol(text, &end, 10);
    if (v > 100 && *end)
        raddle_note("more than a number");
    return 0;
}
