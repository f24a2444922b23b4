/* A lock whose memory order is an argument: without optimisation the function jumps through a table, and with
 * GOTO in a way that is not understood; it has slots that nobody has written yet. What calls of the runtime
 * leave there is no part of the state of a thread that waits; and a compare-exchange that failed is tried
 * again when the value has changed, also if that was seen by a load in between. */
#include <assert.h>
#include <pthread.h>

static unsigned v = 4;
static int in;

static int try(unsigned *c, unsigned bits, int success, int failure)
{
#ifdef GOTO
    static void *const to[] = {&&there, &&there};
    goto *to[failure & 1];
there:
#endif
    if (*c & 2) {
        *c = __atomic_load_n(&v, failure);
        return 0;
    }
    bits |= 2;
    return __atomic_compare_exchange_n(&v, c, *c | bits, 1, success, failure);
}

static void lock(int order)
{
    unsigned old = __atomic_load_n(&v, order);
    while (!try(&old, 0, __ATOMIC_ACQUIRE, order))
        ;
}

static void unlock(void)
{
    __atomic_fetch_sub(&v, 2, __ATOMIC_RELEASE);
}

static void *thread(void *a)
{
    for (int i = 0; i < 2; i++) {
        lock(__ATOMIC_RELAXED);
        assert(!in++);
        in--;
        unlock();
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, thread, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
