#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(16);
    memset(s, 'x', 16);
    size_t n = strnlen(s, 16);
    n += strlen(s); /* BUG */
    free(s);
    return n < 32;
}
