/* An input that is printed into a file, and read again. */
#include <raddle.h>
#include <stdio.h>

int main(void)
{
    FILE *f = tmpfile();
    int x = raddle_input_int("x", 0, 60), y = 0;
    if (!f)
        return 1;
    fprintf(f, "%d\n", x);
    rewind(f);
    if (fscanf(f, "%d", &y) != 1)
        return 1;
    fclose(f);
    raddle_assert(y != 57); /* BUG */
    return 0;
}
