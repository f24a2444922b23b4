#include <stdlib.h>

int main(int argc, char **argv)
{
    char *a = malloc(10);
    a[-argc] = 1; /* BUG */
    free(a);
    return 0;
}
