/* libc's functions on a symbolic string. */
#include <ctype.h>
#include <raddle.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[6];
    raddle_input_string(line, sizeof line, "line");
    if (strlen(line) == 4 && isdigit((unsigned char)line[0]) && atoi(line) == 4711)
        raddle_assert(strcmp(line, "4711")); /* BUG */
    return 0;
}
