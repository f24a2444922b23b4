/* Two senders, a port with two places: it can never be full when somebody wants to send, so its places
 * matter to nobody. Which message is received first is all there is. (To optimal it matters, too, whether
 * the other one was there to be received.) */
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
