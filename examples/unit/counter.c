/* Unit tests of a small concurrent counter. Build and run:
 *     raddle cc -o counter counter.c && raddle test ./counter
 *     cc -I../../include -pthread -o counter counter.c && ./counter     # without raddle, each test once */
#include <raddle/test.h>

#include <pthread.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *add(void *arg)
{
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Reads and writes in two critical sections: an update can get lost. */
static void *add_carelessly(void *arg)
{
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    int seen = c->value;
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_lock(&c->lock);
    c->value = seen + 1;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static int count(int threads, void *(*body)(void *))
{
    struct counter c = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t t[4];
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, body, &c);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    return c.value;
}

RADDLE_TEST(two_threads_count_to_two)
{
    raddle_assert(count(2, add) == 2);
}

RADDLE_TEST_WITH(many_threads, "--engine random --max-executions 500")
{
    raddle_assert(count(4, add) == 4);
}

RADDLE_TEST(careless_counting)
{
    raddle_assert(count(2, add_carelessly) == 2);
}
