/* A bounded buffer as a monitor of Java, with one condition: a producer and a consumer of N items.
 * Everything shared is a step, and is used under the lock. */
#include <pthread.h>

#define ROOM 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int count, in, out, buffer[ROOM];

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    buffer[in] = item;
    in = (in + 1) % ROOM;
    count = count + 1;
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
    count = count - 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *unused)
{
    for (int i = 0; i < N; i++)
        put(i);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < N; i++)
        get();
    pthread_join(t, NULL);
    return 0;
}
