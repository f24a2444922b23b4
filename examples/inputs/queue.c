/* A bounded buffer whose bug needs the right input as well as the right schedule: with more than one
 * consumer, `signal` instead of `broadcast` may wake the wrong thread and everybody waits for ever.
 * The number of producers, of consumers and the way of waking are parameters (queue.pict). */
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items, broadcast;

static int parameter(const char *name, int otherwise)
{
    const char *text = raddle_param(name);
    return text ? atoi(text) : otherwise;
}

static void wake(void)
{
    if (broadcast)
        pthread_cond_broadcast(&changed);
    else
        pthread_cond_signal(&changed);
}

static void *produce(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items == 1)
        pthread_cond_wait(&changed, &lock);
    items++;
    wake();
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&changed, &lock);
    items--;
    wake();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int n = parameter("pairs", 2);
    const char *how = raddle_param("wake");
    pthread_t t[2 * 4];
    broadcast = how && !strcmp(how, "broadcast");
    for (int i = 0; i < n; i++) {
        pthread_create(&t[2 * i], NULL, produce, NULL);
        pthread_create(&t[2 * i + 1], NULL, consume, NULL);
    }
    for (int i = 0; i < 2 * n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
