/* A copy that begins inside of its object and ends outside of it, for the greatest of two inputs only. */
#include <raddle.h>
#include <string.h>

static unsigned char from[6] = {1, 2, 3, 4, 5, 6};

int main(void)
{
    unsigned char to[8];
    int at = raddle_input_int("at", 0, 4), length = raddle_input_int("length", 0, 3);
    memcpy(to, from + at, (size_t)length); /* BUG */
    return 0;
}
