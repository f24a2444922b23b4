#include <stdlib.h>

int main(void)
{
    char *a = malloc(10), *old = a;
    a = realloc(a, 1000);
    old[0] = 1; /* BUG */
    free(a);
    return 0;
}
