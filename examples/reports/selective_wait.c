/* A buffer of one item as a server: a selective wait takes an item when the buffer is empty and
 * hands one out when it is full. Its second guard is wrong: it stays open after the buffer was
 * emptied by an order that came early, so that an order can be served with an item that is gone. */
#include <raddle.h>
#include <raddle/sync.h>

#include <stddef.h>

static raddle_port deposit = RADDLE_PORT(int, RADDLE_FIFO),
                   withdraw = RADDLE_PORT(int, RADDLE_FIFO);

static void *producer(void *unused)
{
    for (int item = 1; item <= 2; item++)
        raddle_port_send(&deposit, &item);
    return unused;
}

static void *consumer(void *unused)
{
    int order = 0;
    raddle_port_send(&withdraw, &order);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    int item, order, stored = 0, seen = 0;
    struct raddle_alternative alternatives[] = {{1, &deposit, &item}, {0, &withdraw, &order}};
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, consumer, NULL);
    for (int left = 4; left; left--) {
        alternatives[1].guard = seen > 0;
        if (raddle_select(alternatives, 2, RADDLE_WAIT) == 0) {
            stored++;
            seen++;
        } else {
            raddle_assert(stored > 0);
            stored--;
        }
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
