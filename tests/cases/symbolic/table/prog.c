/* An index with few values: each of them is tried; one leads out of the block. */
#include <raddle.h>
#include <stdlib.h>

int main(void)
{
    unsigned i = raddle_input_uint("i", 0, 9);
    int *table = calloc(9, sizeof *table);
    int x = table[i]; /* BUG */
    free(table);
    return x;
}
