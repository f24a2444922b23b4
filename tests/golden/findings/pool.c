/* a worker that ends early: the pool waits for ever */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct pool { pthread_mutex_t lock; pthread_cond_t work, idle; int queued, busy, stop, alive; };
static void *worker(void *arg)
{
    struct pool *p = arg;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (!p->queued && !p->stop)
            pthread_cond_wait(&p->work, &p->lock);
        if (p->stop) {
            pthread_mutex_unlock(&p->lock);
            printf("worker ends\n");
            return NULL;
        }
        p->queued--;
        p->busy++;
        pthread_mutex_unlock(&p->lock);
        pthread_mutex_lock(&p->lock);
        p->busy--;
        if (!p->busy && !p->queued)
            pthread_cond_signal(&p->idle);
        pthread_mutex_unlock(&p->lock);
    }
}
static void submit(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->queued++;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}
static void *stopper(void *arg)
{
    struct pool *p = arg;
    pthread_mutex_lock(&p->lock);
    p->stop = 1;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}
int main(void)
{
    struct pool *p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->idle, NULL);
    pthread_t t[2], s;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, p);
    pthread_create(&s, NULL, stopper, p);
    submit(p);
    submit(p);
    pthread_mutex_lock(&p->lock);
    while (p->queued || p->busy)
        pthread_cond_wait(&p->idle, &p->lock);
    pthread_mutex_unlock(&p->lock);
    pthread_join(s, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(p);
    return 0;
}
