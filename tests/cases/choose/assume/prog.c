#include <assert.h>

#include <raddle.h>

int main(void)
{
    int a = raddle_choose(10);
    raddle_assume(a >= 6);
    raddle_assert(a > 5);
    return 0;
}
