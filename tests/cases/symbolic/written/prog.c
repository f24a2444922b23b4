/* How much is written is an input: write says it back. */
#include <raddle.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    static const char text[32];
    unsigned n = raddle_input_uint("n", 0, 20);
    raddle_assert(write(2, text, n) != 13); /* BUG */
    return 0;
}
