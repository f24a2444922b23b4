/* A port has one receiver. */
#include <raddle/sync.h>

static raddle_port p = RADDLE_PORT(int, RADDLE_FIFO);

static void *receiver(void *arg)
{
    int x;
    raddle_port_receive(&p, &x); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int x = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, receiver, NULL);
    for (int i = 0; i < 2; i++)
        raddle_port_send(&p, &x);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
