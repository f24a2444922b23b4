/* The Synchronous Queue of LCT's benchmarks with contents that are inputs: who puts waits until
 * the item was taken. The consumer answers items that are negative. With -DCHOOSE they are
 * choices. */
#include <pthread.h>
#include <raddle.h>

#ifdef CHOOSE
#define INPUT(name) (raddle_choose(2) ? 5 : -5)
#else
#define INPUT(name) raddle_input_int(name, -1000, 1000)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item, full, taken, answered;

static void put(int value)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock);
    int turn = taken;
    item = value;
    full = 1;
    pthread_cond_broadcast(&changed);
    while (taken == turn)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    int value = item;
    full = 0;
    taken++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++)
        put(INPUT("item"));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 2; i++)
        if (take() < 0)
            answered++;
    pthread_join(t, NULL);
    raddle_assert(taken == 2 && answered <= 2);
    return 0;
}
