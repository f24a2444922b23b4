#include <stdlib.h>

int main(void)
{
    static char *volatile p;
    while ((p = malloc(100000)))
        p[99999] = 1;
    return 0;
}
