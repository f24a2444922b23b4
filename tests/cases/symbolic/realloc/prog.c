/* Shadows move with a block; one that is used again has none. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = raddle_input_int("x", 0, 1000000);
    p = realloc(p, 4000);
    if (*p == 31337)
        raddle_assert(*p == 0); /* BUG */
    free(p);
    p = calloc(1, sizeof *p);
    int nothing = *p;
    free(p);
    return nothing;
}
