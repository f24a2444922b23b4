/* A server with a selective wait: guarded alternatives, synchronous calls, else and a timeout. It lends
 * one book; while that is out, only its return is an alternative. */
#include <raddle/sync.h>

#include <assert.h>
#include <stddef.h>

static raddle_port lend = RADDLE_PORT(int, RADDLE_FIFO), give_back = RADDLE_PORT(int, RADDLE_FIFO);

static void *reader(void *arg)
{
    int me = arg != NULL;
    raddle_port_call(&lend, &me); /* returns when the server has taken it */
    raddle_port_call(&give_back, &me);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int who = -1, lent = -1, left = 4;
    struct raddle_alternative a[] = {{1, &lend, &who}, {0, &give_back, &who}};
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, reader, "");
    while (left) {
        a[0].guard = lent < 0;
        a[1].guard = lent >= 0;
        int chosen = raddle_select(a, 2, RADDLE_WAIT);
        assert(chosen == (lent >= 0));
        assert(lent < 0 || who == lent);
        lent = chosen ? -1 : who;
        left--;
    }
    a[0].guard = 1;
    assert(raddle_select(a, 1, RADDLE_ELSE) == -1); /* nobody is left to send anything */
    assert(raddle_select(a, 2, 5) == -1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
