/* A selective wait with else: the message may or may not have arrived. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_port p = RADDLE_PORT(int, RADDLE_FIFO);

static void *sender(void *arg)
{
    int one = 1;
    raddle_port_send(&p, &one);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int x = 0;
    struct raddle_alternative a = {1, &p, &x};
    pthread_create(&t, NULL, sender, NULL);
    raddle_select(&a, 1, RADDLE_ELSE);
    assert(x == 1); /* BUG: not if else was taken */
    pthread_join(t, NULL);
    return 0;
}
