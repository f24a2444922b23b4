/* A port with one place: the second send waits until the first message was received. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_port p = RADDLE_BOUNDED_PORT(int, RADDLE_FIFO, 1);
static raddle_lock l = RADDLE_LOCK;
static int received;

static void *sender(void *arg)
{
    for (int i = 0; i < 2; i++)
        raddle_port_send(&p, &i);
    raddle_lock_take(&l);
    assert(received >= 0);
    raddle_lock_release(&l);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int x;
    pthread_create(&t, NULL, sender, NULL);
    for (int i = 0; i < 2; i++) {
        raddle_port_receive(&p, &x);
        assert(x == i);
    }
    raddle_lock_take(&l);
    received = 2;
    raddle_lock_release(&l);
    pthread_join(t, NULL);
    return 0;
}
