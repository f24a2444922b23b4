/* More values than are tried are written to a file: not safe. */
#include <raddle.h>
#include <stdio.h>

int main(void)
{
    FILE *f = tmpfile();
    int x = raddle_input_int("x", 0, 1000), y = 0;
    if (!f || fwrite(&x, sizeof x, 1, f) != 1)
        return 1;
    rewind(f);
    if (fread(&y, sizeof y, 1, f) != 1)
        return 1;
    fclose(f);
    raddle_assert(y != 777);
    return 0;
}
