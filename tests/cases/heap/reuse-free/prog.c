/* A use after free is still found with --reuse: in the executions in which the memory was not given
 * out again. So is a double free. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *a = malloc(sizeof *a);
    *a = 1;
    free(a);
    int *b = malloc(sizeof *b);
    *b = 2;
    if (argc > 1)
        free(a);
    return *a == 7; /* BUG */
}
