/* Insertion sort of five integers: 5! orders. */
#include <raddle.h>

int main(void)
{
    int a[5];
    raddle_input(a, sizeof a, "numbers");
    for (int i = 1; i < 5; i++)
        for (int k = i; k > 0 && a[k - 1] > a[k]; k--) {
            int t = a[k];
            a[k] = a[k - 1];
            a[k - 1] = t;
        }
    return 0;
}
