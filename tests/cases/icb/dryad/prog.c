/* After the shared-memory channels of Dryad (PLDI 2007, figure 3): closing a channel sends a STOP
 * message to each of its worker threads and waits until each has told the application. A worker then
 * goes on to enter the channel's critical section — and the application, which believes that close
 * waits for the workers to be finished, may have freed the channel. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { WORKERS = 3, MESSAGES = 2, STOP = -1 };

struct queue { /* of messages, filled by the application */
    pthread_mutex_t lock;
    sem_t filled;
    int item[16], first, last;
};

struct channel {
    struct queue *queue;
    sem_t *told; /* the application's */
    pthread_mutex_t base_cs;
    int processed, alerts;
};

static void send(struct queue *q, int message)
{
    pthread_mutex_lock(&q->lock);
    q->item[q->last++ % 16] = message;
    pthread_mutex_unlock(&q->lock);
    sem_post(&q->filled);
}

static int receive(struct queue *q)
{
    sem_wait(&q->filled);
    pthread_mutex_lock(&q->lock);
    int message = q->item[q->first++ % 16];
    pthread_mutex_unlock(&q->lock);
    return message;
}

static void alert_application(struct channel *c)
{
    sem_post(c->told);
    pthread_mutex_lock(&c->base_cs); // BUG
    c->alerts++;
    pthread_mutex_unlock(&c->base_cs);
}

static void *worker(void *arg)
{
    struct channel *c = arg;
    while (receive(c->queue) != STOP) {
        pthread_mutex_lock(&c->base_cs);
        c->processed++;
        pthread_mutex_unlock(&c->base_cs);
    }
    alert_application(c);
    return NULL;
}

static void channel_close(struct channel *c)
{
    for (int i = 0; i < WORKERS; i++)
        send(c->queue, STOP);
    for (int i = 0; i < WORKERS; i++)
        sem_wait(c->told);
}

int main(void)
{
    static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static sem_t told;
    pthread_t t[WORKERS];
    struct channel *c = calloc(1, sizeof *c);
    sem_init(&queue.filled, 0, 0);
    sem_init(&told, 0, 0);
    c->queue = &queue;
    c->told = &told;
    pthread_mutex_init(&c->base_cs, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, c);
    for (int i = 0; i < MESSAGES; i++)
        send(&queue, i);
    channel_close(c);
#ifdef FIXED
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
#endif
    free(c);
#ifndef FIXED
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
#endif
    return 0;
}
