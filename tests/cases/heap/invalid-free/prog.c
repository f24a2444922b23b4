#include <stdlib.h>

int main(void)
{
    char *a = malloc(10);
    free(a + 2); /* BUG */
    return 0;
}
