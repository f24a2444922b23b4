/* A seqlock's reader, two loops in one another, whose variables lie in a frame with an address that was given
 * away: nothing there is known to be dead, and much that is found out about these loops is found out late. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        sequence++;
        a = i;
        b = i;
        sequence++;
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    int x, y;
    unsigned v;
    pthread_create(&t, NULL, writer, NULL);
    do {
        while ((v = sequence) & 1)
            ;
        x = a;
        y = b;
    } while (sequence != v);
    assert(x == y);
    pthread_join(t, NULL);
#ifdef OUTCOME
    assert(x != OUTCOME); /* BUG */
#endif
    return 0;
}
