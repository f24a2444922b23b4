/* An atomic of 16 bytes, of whose upper half another thread reads plainly what was written before. */
#include <pthread.h>
#include <stdatomic.h>

static _Alignas(16) _Atomic __int128 wide;
static atomic_int written;

static void *writes(void *arg)
{
    atomic_store(&wide, (__int128)1 << 64);
    atomic_store_explicit(&written, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    long upper = 1;
    pthread_create(&t, NULL, writes, NULL);
    if (atomic_load_explicit(&written, memory_order_relaxed))
        upper = ((long *)&wide)[1]; /* BUG */
    pthread_join(t, NULL);
    return upper != 1;
}
