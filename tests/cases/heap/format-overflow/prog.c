#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *to = malloc(5);
    volatile int n = 12345;
    snprintf(to, 5, "%d", n);
    sprintf(to, "%d", n); /* BUG */
    free(to);
    return 0;
}
