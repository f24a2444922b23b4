/* The assumption fails before anybody has written the variable: that others write it must be seen all the
 * same, for it is no scheduling point until then. */
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int flag;

static void *waits(void *unused)
{
    __VERIFIER_assume(flag == 1);
    reach_error(); /* BUG */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
