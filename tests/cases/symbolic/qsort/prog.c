/* qsort and bsearch compare symbolic values: one path for each order of four. */
#include <raddle.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a > *(const int *)b;
}

int main(void)
{
    int v[4];
    raddle_input(v, sizeof v, "v");
    qsort(v, 4, sizeof v[0], compare);
    raddle_assert(v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3]);
    return 0;
}
