/* Copies and fills whose place and length depend on inputs. With a length of 0 nothing is read, also at
 * the end of the object; the longest ones end where it ends. */
#include <raddle.h>
#include <string.h>

int main(void)
{
    unsigned char from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {0};
    int at = raddle_input_int("at", 0, 6), length = raddle_input_int("length", 0, 6);
    raddle_assume(at + length <= 6);
    memcpy(to, from + at, (size_t)length);
    memmove(to + at, to, (size_t)length);
    memset(from + at, 7, (size_t)length);
    raddle_assert(length == 0 || from[at] == 7);
    return 0;
}
