/* The thread that reads ready is the first to need thread-local variables of the library: its
 * execution is repeated. */
#include <pthread.h>
#include <stdio.h>
static int ready, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *producer(void *p)
{
    pthread_mutex_lock(&lock);
    data = 17;
    pthread_mutex_unlock(&lock);
    ready = 1;
    return NULL;
}
static void *consumer(void *p)
{
    pthread_mutex_lock(&lock);
    if (ready)
        printf("%d\n", data);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
