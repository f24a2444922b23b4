/* The handle of a thread is written where an input was: bytes of it that happen to be the same are none
 * of the input's any more. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void *joins_itself(void *arg)
{
    pthread_t self = *(pthread_t *)arg;
    assert(pthread_join(self, NULL) == EDEADLK);
    return NULL;
}

int main(void)
{
    static pthread_t t;
    t = (pthread_t)__VERIFIER_nondet_int();
    pthread_create(&t, NULL, joins_itself, &t);
    pthread_join(t, NULL);
    return 0;
}
