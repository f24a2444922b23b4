/* M1 and M3 each send a message to M2, which receives twice; M4 and M6 to M5 likewise. Messages may overtake
 * each other. Four sequences. */
#include <pthread.h>
#include <raddle/sync.h>

static raddle_port to_m2 = RADDLE_PORT(int, RADDLE_ASYNC), to_m5 = RADDLE_PORT(int, RADDLE_ASYNC);

static void *sends(void *port)
{
    int m = 0;
    raddle_port_send(port, &m);
    return port;
}

static void *receives(void *port)
{
    int m;
    raddle_port_receive(port, &m);
    raddle_port_receive(port, &m);
    return port;
}

int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], 0, i % 3 == 1 ? receives : sends, i < 3 ? &to_m2 : &to_m5);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
}
