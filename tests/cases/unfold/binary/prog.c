/* Binary semaphores, one of which is 1 at first: that a post waits there tells so. */
#include <assert.h>
#include <pthread.h>
#include <raddle/sync.h>

static raddle_binary full = RADDLE_BINARY(1), empty = RADDLE_BINARY(0);
static int item, seen;

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        raddle_binary_wait(&full);
        item++;
        raddle_binary_post(&empty);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        raddle_binary_wait(&empty);
        seen = seen * 10 + item;
        raddle_binary_post(&full);
    }
    return NULL;
}

static void *other(void *arg)
{
    raddle_binary_post(&full);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_create(&t[2], NULL, other, NULL);
    raddle_binary_wait(&full);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    assert(seen == 12);
    return 0;
}
