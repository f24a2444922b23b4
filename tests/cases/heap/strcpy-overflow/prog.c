#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *a = malloc(5);
    strcpy(a, argc > 5 ? "abc" : "abcde"); /* BUG */
    free(a);
    return 0;
}
