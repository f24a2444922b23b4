/* As strcmp, with libc's function: 12 characters, 13 paths. */
#include <raddle.h>
#include <string.h>

int main(void)
{
    char line[13];
    raddle_input(line, 12, "line");
    line[12] = 0;
    return strcmp(line, "open sesame!") == 77;
}
