/* Why the free places of a port are part of a sequence: who takes the only one decides whether the
 * other sender ever comes to what the receiver waits for. The messages received are the same until
 * then: none. */
#include <pthread.h>
#include <raddle/sync.h>

static raddle_port p, q;

static void *both(void *a)
{
    int v = 1;
    raddle_port_send(&p, &v);
    raddle_port_send(&q, &v);
    return a;
}

static void *one(void *a)
{
    int v = 2;
    raddle_port_send(&p, &v);
    return a;
}

int main(void)
{
    pthread_t t[2];
    int v;
    raddle_port_init(&p, sizeof(int), RADDLE_FIFO, 1);
    raddle_port_init(&q, sizeof(int), RADDLE_FIFO, 0);
    pthread_create(&t[0], 0, both, 0);
    pthread_create(&t[1], 0, one, 0);
    raddle_port_receive(&q, &v);
    raddle_port_receive(&p, &v);
    raddle_port_receive(&p, &v);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
