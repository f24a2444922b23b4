/* A fault inside a function of libc is one of the line that calls it. */
#include <raddle.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[8], *p = malloc(4);
    raddle_input_string(text, sizeof text, "text");
    strcpy(p, text); /* BUG */
    free(p);
    return 0;
}
