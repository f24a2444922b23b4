/* What assembly reads from memory and writes there. */
#include <raddle.h>

int main(void)
{
    int x = raddle_input_int("x", 0, 50), m = x, y = 0;
#ifdef BOTH
    __asm__ volatile("incl %0" : "+m"(m));
    raddle_assert(m != 43); /* BUG-BOTH */
#elif defined POINTER
    __asm__ volatile("movl (%1), %0" : "=r"(y) : "r"(&m) : "memory");
    raddle_assert(y != 42);
#elif defined NOTHING
    __asm__ volatile("" : : "r"(&m) : "memory");
    raddle_assert(m != 42); /* BUG-NOTHING */
#else
    __asm__ volatile("movl $42, %0" : "=m"(m));
    raddle_assert(m == 42);
#endif
    return y < 0;
}
