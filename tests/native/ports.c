/* ports CAPACITY CAPACITY OPERATIONS…: one thread for each word of operations on ports 0 and 1
 * (capacity 0: no limit):
 *   s   send     c   send and wait until it was received
 *   r   receive  e   the same with an else    x X   the same of either port
 * A digit chooses the port of the operations that follow. */
#include <pthread.h>
#include <raddle/sync.h>
#include <stdlib.h>

static raddle_port port[2];

static void receive(int k, int both, long timeout)
{
    int got;
    struct raddle_alternative a[2] = {{1, &port[k], &got}, {1, &port[!k], &got}};
    raddle_select(a, 1 + both, timeout);
}

static void operate(char op, int k)
{
    int message = 0;
    switch (op) {
    case 's':
        raddle_port_send(&port[k], &message);
        break;
    case 'c':
        raddle_port_call(&port[k], &message);
        break;
    default:
        receive(k, op == 'x' || op == 'X', op == 'e' || op == 'X' ? RADDLE_ELSE : RADDLE_WAIT);
        break;
    }
}

static void *work(void *arg)
{
    int k = 0;
    for (const char *p = arg; *p; p++)
        if (*p == '0' || *p == '1')
            k = *p - '0';
        else
            operate(*p, k);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[8];
    for (int k = 0; k < 2; k++)
        raddle_port_init(&port[k], sizeof(int), RADDLE_FIFO, (unsigned)atoi(argv[1 + k]));
    for (int i = 3; i < argc; i++)
        pthread_create(&t[i - 3], NULL, work, argv[i]);
    for (int i = 3; i < argc; i++)
        pthread_join(t[i - 3], NULL);
}
