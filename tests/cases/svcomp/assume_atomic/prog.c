/* A lock as verifiers write it: the section cannot be entered while somebody is inside. What an
 * abandoned section has written already (tries) must not be taken for a fault of the others. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int taken, tries, inside;

static void acquire(void)
{
    __VERIFIER_atomic_begin();
    tries++;
    __VERIFIER_assume(!taken);
    tries--;
    taken = 1;
    __VERIFIER_atomic_end();
}

static void release(void)
{
    __VERIFIER_atomic_begin();
    assert(tries == 0);
    taken = 0;
    __VERIFIER_atomic_end();
}

static void *worker(void *arg)
{
    acquire();
    assert(++inside == 1);
    inside--;
    release();
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
