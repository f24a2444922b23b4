/* Inputs: all values of a small range with --nondet, a few drawn ones without. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 2);
    if (__VERIFIER_nondet_bool() && x == 5)
        __VERIFIER_error(); // BUG
}
