/* Szymanski's algorithm for two threads, N rounds each; who would have to wait drops the execution. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int flag[2], x;

static void *work(void *arg)
{
    int me = arg != NULL;
    atomic_int *mine = &flag[me], *other = &flag[!me];
    for (int i = 0; i < N; i++) {
        *mine = 1;
        __VERIFIER_assume(*other < 3);
        *mine = 3;
        if (*other == 1) {
            *mine = 2;
            __VERIFIER_assume(*other == 4);
        }
        *mine = 4;
        __VERIFIER_assume(*other < 2);
        x = me;
        assert(x == me);
        __VERIFIER_assume(2 > *other || *other > 3);
        *mine = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
