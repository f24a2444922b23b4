/* A ring of two between two threads, with counters that wrap at 8: as the full test is, or takes no notice of
 * that (WRONG), which shows after they have wrapped. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define FULL (head - tail == 2)
#else
#define FULL ((head + 8 - tail) % 8 == 2)
#endif

static atomic_int head, tail;
static int ring[2];

static void *producer(void *arg)
{
    for (int value = 0;; value = (value + 1) % 4) {
        while (FULL)
            sched_yield();
        ring[head % 2] = value;
        head = (head + 1) % 8;
    }
}

static void *consumer(void *arg)
{
    for (int value = 0;; value = (value + 1) % 4) {
        while (head == tail)
            sched_yield();
        assert(ring[tail % 2] == value); /* BUG */
        tail = (tail + 1) % 8;
    }
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
}
