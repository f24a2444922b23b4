/* An index that cannot leave its array. */
#include <raddle.h>

int main(void)
{
    int count[8] = {0};
    unsigned char text[2];
    raddle_input(text, sizeof text, "text");
    for (int i = 0; i < 2; i++)
        count[text[i] & 7]++;
    raddle_assert(count[text[0] & 7] > 0);
    return 0;
}
