/* The competition's inputs, one of them read by another thread. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10 && x < 1000);
    pthread_mutex_lock(&lock);
    shared = x;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_bool() && shared * 7 == 693)
        reach_error(); /* BUG */
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
