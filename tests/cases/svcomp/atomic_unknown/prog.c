/* What the section touches depends on x. The sequence that brings it before main's write is made when
 * that is not known; it turns out not to wake the reader that sleeps there, and so does not stand for all
 * that can follow. 27 traces. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, z;
static int p, sum, seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *arg)
{
    pthread_mutex_lock(&m);
    z = 3;
    pthread_mutex_unlock(&m);
    return x ? arg : NULL;
}

static void *reads(void *arg)
{
    pthread_mutex_lock(&m);
    seen = x;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *branches(void *arg)
{
    z = 1;
    __VERIFIER_atomic_begin();
    if (x == 0)
        sum += p;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, writes, NULL);
    pthread_create(&t[1], NULL, reads, NULL);
    pthread_create(&t[2], NULL, branches, NULL);
    x = 3;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
