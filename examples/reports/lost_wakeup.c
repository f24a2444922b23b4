/* A consumer looks at the flag without the lock and then waits. A producer that sets the flag and signals in
 * between is not heard: the consumer waits for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *produce(void *unused)
{
    ready = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    printf("produced\n");
    return unused;
}

static void *consume(void *unused)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    printf("consumed\n");
    return unused;
}

int main(void)
{
    pthread_t consumer, producer;
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(consumer, NULL);
    pthread_join(producer, NULL);
    return 0;
}
