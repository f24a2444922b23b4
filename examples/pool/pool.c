/* A thread pool as one finds it in many programs: a queue of jobs, workers that sleep while it is
 * empty, and a shutdown that lets them finish. It passes its test millions of times in a row.
 *
 * The bug: pool_shutdown sets `stopping` without holding the lock. A worker that has just seen
 * stopping == 0 but does not wait yet misses the broadcast and sleeps for ever; pool_shutdown then
 * waits for it in pthread_join. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 2

struct job {
    void (*run)(void *);
    void *arg;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct job *head, **tail;
    atomic_int stopping;
    pthread_t workers[WORKERS];
};

static struct job *next_job(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (!p->head && !atomic_load(&p->stopping))
        pthread_cond_wait(&p->work, &p->lock);
    struct job *j = p->head;
    if (j && !(p->head = j->next))
        p->tail = &p->head;
    pthread_mutex_unlock(&p->lock);
    return j;
}

static void *worker(void *arg)
{
    struct job *j;
    while ((j = next_job(arg))) {
        j->run(j->arg);
        free(j);
    }
    return NULL;
}

static void pool_start(struct pool *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    p->head = NULL;
    p->tail = &p->head;
    atomic_init(&p->stopping, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&p->workers[i], NULL, worker, p);
}

static void pool_submit(struct pool *p, void (*run)(void *), void *arg)
{
    struct job *j = malloc(sizeof *j);
    *j = (struct job){run, arg, NULL};
    pthread_mutex_lock(&p->lock);
    *p->tail = j;
    p->tail = &j->next;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

static void pool_shutdown(struct pool *p)
{
    atomic_store(&p->stopping, 1);
    pthread_cond_broadcast(&p->work);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->workers[i], NULL);
}

static struct pool pool;
static atomic_int done;

static void count(void *arg)
{
    atomic_fetch_add(&done, 1);
}

int main(void)
{
    pool_start(&pool);
    for (int i = 0; i < JOBS; i++)
        pool_submit(&pool, count, NULL);
    pool_shutdown(&pool);
    printf("%d jobs done\n", done);
    assert(done == JOBS);
    return 0;
}
