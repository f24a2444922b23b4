/* The competition's pointers and memory of any value, a pointer as the result of a thread: one value of
 * each fails. */
#include <pthread.h>

extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
extern void reach_error(void);
struct pair { short a; unsigned char b[2]; };
static struct pair given;

static void *run(void *unused)
{
    __VERIFIER_nondet_memory(&given, sizeof given);
    return __VERIFIER_nondet_pointer();
}

int main(void)
{
    pthread_t t;
    void *p;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, &p);
    if ((unsigned long)p == 0xfeedul && given.a == -7 && given.b[1] == 200)
        reach_error(); /* BUG */
    return 0;
}
