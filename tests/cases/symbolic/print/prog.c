/* What snprintf makes of a number keeps its expressions. */
#include <raddle.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[16];
    int n = raddle_input_int("n", -2000, 2000);
    snprintf(text, sizeof text, "<%+05d|%x>", n, n & 15);
    raddle_assert(strcmp(text, "<+0789|5>")); /* BUG */
    return 0;
}
