/* Semaphores, locks and ports on pthreads. All ports share one lock and one condition: a selective
 * wait looks at several of them, and a native run is for using the program, not for measuring it. */
#include "sync/native.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void native_misuse(const char *what)
{
    fprintf(stderr, "raddle/sync.h: %s\n", what);
    abort();
}

void native_semaphore_wait(raddle_semaphore *s)
{
    pthread_mutex_lock(&s->mutex);
    while (s->value == 0)
        pthread_cond_wait(&s->changed, &s->mutex);
    s->value--;
    pthread_mutex_unlock(&s->mutex);
}

int native_semaphore_try(raddle_semaphore *s)
{
    pthread_mutex_lock(&s->mutex);
    int taken = s->value > 0;
    s->value -= (unsigned)taken;
    pthread_mutex_unlock(&s->mutex);
    return taken;
}

void native_semaphore_post(raddle_semaphore *s)
{
    pthread_mutex_lock(&s->mutex);
    s->value++;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

static void flip(raddle_binary *b, unsigned to)
{
    pthread_mutex_lock(&b->mutex);
    while (b->value == to)
        pthread_cond_wait(&b->changed, &b->mutex);
    b->value = to;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

void native_binary_wait(raddle_binary *b)
{
    flip(b, 0);
}

void native_binary_post(raddle_binary *b)
{
    flip(b, 1);
}

void native_lock_take(raddle_lock *l)
{
    pthread_mutex_lock(&l->mutex);
}

void native_lock_release(raddle_lock *l)
{
    pthread_mutex_unlock(&l->mutex);
}

/* Ports ---------------------------------------------------------------------------------------- */

struct raddle_message {
    struct raddle_message *next;
    int *received; /* of a synchronous send */
    char data[];
};

static pthread_mutex_t ports = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static void put(raddle_port *p, const void *message, int *received)
{
    struct raddle_message *m = malloc(sizeof *m + p->size);
    if (!m)
        native_misuse("out of memory for a message");
    m->next = NULL;
    m->received = received;
    memcpy(m->data, message, p->size);
    while (p->capacity && p->waiting == p->capacity)
        pthread_cond_wait(&arrived, &ports);
    if (p->last)
        p->last->next = m;
    else
        p->first = m;
    p->last = m;
    p->waiting++;
    pthread_cond_broadcast(&arrived);
}

static void take(raddle_port *p, void *message)
{
    struct raddle_message *m = p->first;
    p->first = m->next;
    if (!p->first)
        p->last = NULL;
    p->waiting--;
    memcpy(message, m->data, p->size);
    if (m->received)
        *m->received = 1;
    free(m);
    pthread_cond_broadcast(&arrived);
}

void native_port_send(raddle_port *p, const void *message)
{
    pthread_mutex_lock(&ports);
    put(p, message, NULL);
    pthread_mutex_unlock(&ports);
}

void native_port_call(raddle_port *p, const void *message)
{
    int received = 0;
    pthread_mutex_lock(&ports);
    put(p, message, &received);
    while (!received)
        pthread_cond_wait(&arrived, &ports);
    pthread_mutex_unlock(&ports);
}

static void claim(raddle_port *p)
{
    if (p->claimed && !pthread_equal(p->receiver, pthread_self()))
        native_misuse("two threads receive from one port");
    p->claimed = 1;
    p->receiver = pthread_self();
}

static int try_select(struct raddle_alternative *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].guard && a[i].port->first) {
            take(a[i].port, a[i].message);
            return i;
        }
    return -1;
}

static struct timespec deadline(long milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += milliseconds % 1000 * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

int native_select(struct raddle_alternative *a, int n, long timeout)
{
    struct timespec until = deadline(timeout > 0 ? timeout : 0);
    int chosen, expired = timeout == RADDLE_ELSE;
    pthread_mutex_lock(&ports);
    for (int i = 0; i < n; i++)
        if (a[i].guard)
            claim(a[i].port);
    while ((chosen = try_select(a, n)) < 0 && !expired) {
        if (timeout < 0)
            pthread_cond_wait(&arrived, &ports);
        else
            expired = pthread_cond_timedwait(&arrived, &ports, &until) == ETIMEDOUT;
    }
    pthread_mutex_unlock(&ports);
    return chosen;
}
