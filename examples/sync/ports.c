/* Ports of all three orders and a bounded one. What a sender sends to a FIFO port arrives in its order;
 * on a causal port a message cannot overtake one that it was sent because of; on an asynchronous port
 * anything may come first; a bounded port makes its sender wait. */
#include <raddle/sync.h>

#include <assert.h>
#include <stddef.h>

static raddle_port in_order = RADDLE_PORT(int, RADDLE_FIFO), any_order = RADDLE_PORT(int, RADDLE_ASYNC);
static raddle_port news = RADDLE_PORT(char, RADDLE_CAUSAL), go_on = RADDLE_PORT(char, RADDLE_FIFO);
static raddle_port small = RADDLE_BOUNDED_PORT(int, RADDLE_FIFO, 1);

static void *first(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        raddle_port_send(&in_order, &i);
        raddle_port_send(&any_order, &i);
    }
    raddle_port_send(&news, "a"); /* the question … */
    raddle_port_send(&go_on, "");
    return NULL;
}

static void *second(void *arg)
{
    char c;
    raddle_port_receive(&go_on, &c);
    raddle_port_send(&news, "b"); /* … and the answer to it */
    for (int i = 1; i <= 2; i++)
        raddle_port_send(&small, &i);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int a, b;
    char c, d;
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    raddle_port_receive(&in_order, &a);
    raddle_port_receive(&in_order, &b);
    assert(a == 1 && b == 2);
    raddle_port_receive(&any_order, &a);
    raddle_port_receive(&any_order, &b);
    assert(a + b == 3);
    raddle_port_receive(&news, &c);
    raddle_port_receive(&news, &d);
    assert(c == 'a' && d == 'b');
    raddle_port_receive(&small, &a);
    raddle_port_receive(&small, &b);
    assert(a == 1 && b == 2);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
