/* The third thread gets a from the first and, because of b, later c from the second. */
#include <raddle/sync.h>

static raddle_port p = RADDLE_PORT(int, RADDLE_ASYNC), q = RADDLE_PORT(int, RADDLE_FIFO);

static void *first(void *arg)
{
    int a = 1, b = 2, d = 4;
    raddle_port_send(&p, &a);
    raddle_port_send(&p, &d);
    raddle_port_send(&q, &b);
    return NULL;
}

static void *second(void *arg)
{
    int b, c = 3;
    raddle_port_receive(&q, &b);
    raddle_port_send(&p, &c);
    return NULL;
}

static void *third(void *arg)
{
    int x;
    for (int i = 0; i < 3; i++)
        raddle_port_receive(&p, &x);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    void *(*code[3])(void *) = {first, second, third};
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, code[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
