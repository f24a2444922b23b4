/* A size with twelve values, far apart: each is tried. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc((size_t)1 << raddle_input_int("k", 0, 11));
    raddle_assert(p);
    free(p);
    return 0;
}
