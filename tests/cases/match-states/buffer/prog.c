/* A bounded buffer, three producers and three consumers that never end. One condition for both sides loses
 * wake-ups. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2
static int buffer[SIZE], in, out, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#ifdef ONE
#define emptied filled
#else
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#endif

static void *producer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&emptied, &lock);
        buffer[in] = 1 + (int)(long)arg;
        in = (in + 1) % SIZE;
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
}

static void *consumer(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&filled, &lock);
        assert(buffer[out]);
        buffer[out] = 0;
        out = (out + 1) % SIZE;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 3; i++) {
        pthread_create(&t, NULL, producer, (void *)i);
        pthread_create(&t, NULL, consumer, NULL);
    }
    pthread_exit(NULL);
}
