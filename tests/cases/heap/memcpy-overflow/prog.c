#include <stdlib.h>
#include <string.h>

int main(void)
{
    char from[32] = "text", *to = malloc(20);
    volatile size_t n = 21;
    memcpy(to, from, 20);
    memcpy(to, from, n); /* BUG */
    free(to);
    return 0;
}
