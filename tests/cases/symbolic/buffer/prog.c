/* The Bounded Buffer of LCT's benchmarks with contents that are inputs: a monitor with one
 * condition, two producers, and a consumer that does something else with large items. With
 * -DCHOOSE they are choices. */
#include <pthread.h>
#include <raddle.h>

#ifdef CHOOSE
#define INPUT(name) (raddle_choose(2) ? 200 : 0)
#else
#define INPUT(name) raddle_input_int(name, 0, 255)
#endif
#define ROOM 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count, buffer[ROOM], in, out, large, small;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    buffer[in] = item;
    in = (in + 1) % ROOM;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int item = buffer[out];
    out = (out + 1) % ROOM;
    count--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *unused)
{
    put(INPUT("item"));
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, producer, NULL);
    for (int i = 0; i < 2; i++)
        if (get() >= 128)
            large++;
        else
            small++;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    raddle_assert(large + small == 2);
    return 0;
}
