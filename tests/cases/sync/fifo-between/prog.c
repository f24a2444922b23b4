/* What a sender does between two messages of a FIFO port may come after the receipt of the first, also
 * when the second was there already. */
#include <assert.h>
#include <pthread.h>
#include <raddle/sync.h>
#include <stdatomic.h>
#include <stddef.h>

static raddle_port port = RADDLE_PORT(int, RADDLE_FIFO);
static atomic_int x;

static void *sender(void *arg)
{
    int i = 1;
    raddle_port_send(&port, &i);
    atomic_store(&x, 1);
    raddle_port_send(&port, &i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int i;
    pthread_create(&t, NULL, sender, NULL);
    raddle_port_receive(&port, &i);
    assert(atomic_load(&x) == 1); /* BUG */
    raddle_port_receive(&port, &i);
    return pthread_join(t, NULL);
}
