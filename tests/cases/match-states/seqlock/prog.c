/* A sequence lock: one who writes three times and one who reads twice, trying again until nobody wrote
 * meanwhile; or both without end (WRAPS). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint count, left, right;

static void *writer(void *arg)
{
#ifdef WRAPS
    for (unsigned i = 0;; i = !i) { /* and the number comes round while somebody reads */
#else
    for (unsigned i = 0; i < 3; i++) {
#endif
        unsigned c = atomic_load(&count);
        atomic_store(&count, c + 1);
        atomic_store(&left, i);
        atomic_store(&right, i);
#ifdef WRONG
        atomic_store(&count, c); /* as if nothing had been written */
#elif defined WRAPS
        atomic_store(&count, (c + 2) % 4);
#else
        atomic_store(&count, c + 2);
#endif
    }
    return NULL;
}

static void *reader(void *arg)
{
#ifdef WRAPS
    for (;;) {
#else
    for (int i = 0; i < 2; i++) {
#endif
        unsigned before, l, r;
        do {
            before = atomic_load(&count);
            l = atomic_load(&left);
            r = atomic_load(&right);
        } while (before % 2 || atomic_load(&count) != before);
        assert(l == r); /* BUG */
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
