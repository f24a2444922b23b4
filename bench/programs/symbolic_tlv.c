/* Records of a type, a length and that many bytes, in 12 bytes of input. */
#include <raddle.h>

int main(void)
{
    unsigned char b[12];
    unsigned at = 0, sum = 0;
    raddle_input(b, sizeof b, "bytes");
    while (at + 2 <= sizeof b) {
        unsigned char type = b[at], length = b[at + 1];
        at += 2;
        if (type == 0)
            break;
        if (length > sizeof b - at)
            return 0;
        if (type == 1 && length >= 1)
            sum += b[at];
        else if (type == 2 && length == 2)
            sum += b[at] << 8 | b[at + 1];
        for (unsigned i = 0; i < length; i++)
            at++;
    }
    if (sum > 300)
        raddle_note("large");
    return 0;
}
