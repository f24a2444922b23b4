/* Two senders, a port with two places. Its free places are a counting semaphore that is part of
 * the sequence: both senders take one (2 orders) before one of the 2 messages is received, or one
 * of the 2 does, whose message is received and gives the place back, before the other one takes
 * it: 4 + 2. */
#include <assert.h>
#include <pthread.h>
#include <raddle/sync.h>

static raddle_port p;
static int got[2];

static void *sender(void *a)
{
    int v = (int)(long)a;
    raddle_port_send(&p, &v);
    return 0;
}

static void *receiver(void *a)
{
    for (int i = 0; i < 2; i++)
        raddle_port_receive(&p, &got[i]);
    return a;
}

int main(void)
{
    pthread_t t[3];
    raddle_port_init(&p, sizeof(int), RADDLE_FIFO, 2);
    pthread_create(&t[0], 0, receiver, 0);
    pthread_create(&t[1], 0, sender, (void *)1);
    pthread_create(&t[2], 0, sender, (void *)2);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(got[0] + got[1] == 3);
}
