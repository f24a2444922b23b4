/* What sscanf makes of a line keeps its expressions. */
#include <raddle.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[9], word[4];
    int n, m;
    raddle_input_string(line, sizeof line, "line");
    raddle_assume(line[0] == '-' && line[3] == ' ' && line[5] == ',');
    if (sscanf(line, "%d %3[a-z],%x", &n, word, &m) == 3 && !strcmp(word, "k"))
        raddle_assert(n != -42 || m != 0x1f); /* BUG */
    return 0;
}
