/* Monitors on pthreads: queues of waiting threads, each with a condition of its own, so that exactly
 * the right one goes on. Whoever gives the monitor up hands it to the next: first those who wait
 * because they signalled (urgent), then those who want to enter; `inside` stays set meanwhile. */
#include "sync/native.h"

#include <stddef.h>

struct raddle_waiter {
    struct raddle_waiter *next;
    pthread_cond_t turn;
    pthread_t thread;
    int granted;
};

static void enqueue(struct raddle_waiter **queue, struct raddle_waiter *w)
{
    while (*queue)
        queue = &(*queue)->next;
    w->next = NULL;
    *queue = w;
}

static struct raddle_waiter *dequeue(struct raddle_waiter **queue)
{
    struct raddle_waiter *w = *queue;
    *queue = w->next;
    return w;
}

static void hand_to(raddle_monitor *m, struct raddle_waiter *w)
{
    m->inside = 1;
    m->owner = w->thread;
    w->granted = 1;
    pthread_cond_signal(&w->turn);
}

static void give_up(raddle_monitor *m)
{
    if (m->urgent)
        hand_to(m, dequeue(&m->urgent));
    else if (m->entry)
        hand_to(m, dequeue(&m->entry));
    else
        m->inside = 0;
}

static void begin_wait(struct raddle_waiter *w)
{
    w->granted = 0;
    w->thread = pthread_self();
    pthread_cond_init(&w->turn, NULL);
}

static void end_wait(raddle_monitor *m, struct raddle_waiter *w)
{
    while (!w->granted)
        pthread_cond_wait(&w->turn, &m->mutex);
    pthread_cond_destroy(&w->turn);
}

static void check_inside(raddle_monitor *m, const char *what)
{
    if (!m->inside || !pthread_equal(m->owner, pthread_self()))
        native_misuse(what);
}

void native_monitor_enter(raddle_monitor *m)
{
    struct raddle_waiter w;
    pthread_mutex_lock(&m->mutex);
    if (m->inside) {
        begin_wait(&w);
        enqueue(&m->entry, &w);
        end_wait(m, &w);
    }
    m->inside = 1;
    m->owner = pthread_self();
    pthread_mutex_unlock(&m->mutex);
}

void native_monitor_leave(raddle_monitor *m)
{
    pthread_mutex_lock(&m->mutex);
    check_inside(m, "a thread leaves a monitor that it is not in");
    give_up(m);
    pthread_mutex_unlock(&m->mutex);
}

void native_condition_wait(raddle_condition *c)
{
    raddle_monitor *m = c->monitor;
    struct raddle_waiter w;
    pthread_mutex_lock(&m->mutex);
    check_inside(m, "a condition is waited on outside of its monitor");
    begin_wait(&w);
    enqueue(&c->queue, &w);
    give_up(m);
    end_wait(m, &w);
    pthread_mutex_unlock(&m->mutex);
}

static void signal_urgent(raddle_monitor *m, struct raddle_waiter *woken)
{
    struct raddle_waiter me;
    begin_wait(&me);
    enqueue(&m->urgent, &me);
    hand_to(m, woken);
    end_wait(m, &me);
}

void native_condition_signal(raddle_condition *c)
{
    raddle_monitor *m = c->monitor;
    pthread_mutex_lock(&m->mutex);
    check_inside(m, "a condition is signalled outside of its monitor");
    if (c->queue && m->signalling == RADDLE_SIGNAL_AND_URGENT_WAIT)
        signal_urgent(m, dequeue(&c->queue));
    else if (c->queue)
        enqueue(&m->entry, dequeue(&c->queue));
    pthread_mutex_unlock(&m->mutex);
}

void native_condition_broadcast(raddle_condition *c)
{
    raddle_monitor *m = c->monitor;
    pthread_mutex_lock(&m->mutex);
    check_inside(m, "a condition is broadcast outside of its monitor");
    if (m->signalling == RADDLE_SIGNAL_AND_URGENT_WAIT)
        native_misuse("broadcast in a monitor with signal and urgent wait");
    while (c->queue)
        enqueue(&m->entry, dequeue(&c->queue));
    pthread_mutex_unlock(&m->mutex);
}

int native_condition_empty(const raddle_condition *c)
{
    return c->queue == NULL;
}
