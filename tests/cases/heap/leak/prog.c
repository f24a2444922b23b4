#include <stdlib.h>

int main(void)
{
    char *volatile a = malloc(10);
    a[0] = 1;
    a = NULL;
    return 0;
}
