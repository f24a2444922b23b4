/* Two loops inside each other, the inner one updates a counter once each time it is entered: whether the
 * outer one has gone round without a change depends on the inner one. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, open_, entries;

static void *waiter(void *arg)
{
    int seen;
    do {
        int counted = 0;
        seen = go;
        while (!open_)
            if (!counted) {
                entries++;
                counted = 1;
            }
    } while (!seen);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    open_ = 1;
    open_ = 0;
    open_ = 1;
    go = 1;
    pthread_join(t, NULL);
    return 0;
}
