/* Figure 1 of Lei and Carver: T1 and T4 send to a port of T2, which then sends to a port of T3, to which T4
 * sends too. Four sequences. */
#include <pthread.h>
#include <raddle/sync.h>

static raddle_port p2 = RADDLE_PORT(int, RADDLE_FIFO), p3 = RADDLE_PORT(int, RADDLE_FIFO);

static void *thread1(void *a)
{
    int m = 1;
    raddle_port_send(&p2, &m);
    return a;
}

static void *thread2(void *a)
{
    int x, y;
    raddle_port_receive(&p2, &x);
    raddle_port_receive(&p2, &y);
    raddle_port_send(&p3, &x);
    return a;
}

static void *thread3(void *a)
{
    int x, y;
    raddle_port_receive(&p3, &x);
    raddle_port_receive(&p3, &y);
    return a;
}

static void *thread4(void *a)
{
    int m = 4;
    raddle_port_send(&p2, &m);
    raddle_port_send(&p3, &m);
    return a;
}

int main(void)
{
    void *(*const run[])(void *) = {thread1, thread2, thread3, thread4};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, run[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
