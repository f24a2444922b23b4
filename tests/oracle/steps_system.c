/* steps_system.c — message queues (mq_send(3p)), pipes, event descriptors, futexes (futex(2)),
 * cells on the heap, raddle_choose. */
#include "state.h"

#include <errno.h>
#include <string.h>

enum { AT_FUTEX = 70 };

static void queue_send(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct channel *c = &next.queue[i->a];
    if (c->count < m->program->object[QUEUE][i->a]) {
        int k = c->count++; /* behind all of the same or a higher priority */
        for (; k > 0 && c->priority[k - 1] < i->w; k--) {
            c->value[k] = c->value[k - 1];
            c->priority[k] = c->priority[k - 1];
        }
        c->value[k] = i->v;
        c->priority[k] = i->w;
        step_done(m, &next, t, 0);
    } else if (i->op == OP_MQ_TRY_SEND) {
        step_done(m, &next, t, -EAGAIN);
    } else if (i->op == OP_MQ_TIMED_SEND) {
        step_done(m, &next, t, -ETIMEDOUT);
    }
}

static void take_first(struct channel *c)
{
    memmove(c->value, c->value + 1, MESSAGES - 1);
    memmove(c->priority, c->priority + 1, MESSAGES - 1);
    c->value[MESSAGES - 1] = c->priority[MESSAGES - 1] = 0;
    c->count--;
}

static void queue_receive(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct channel *c = &next.queue[i->a];
    if (c->count) {
        int value = c->value[0] * 10 + c->priority[0];
        take_first(c);
        step_done(m, &next, t, value);
    } else if (i->op == OP_MQ_TRY_RECEIVE) {
        step_done(m, &next, t, -EAGAIN);
    } else if (i->op == OP_MQ_TIMED_RECEIVE) {
        step_done(m, &next, t, -ETIMEDOUT);
    }
}

static void pipes(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct channel *c = &next.pipe[i->a];
    bool closed = next.closed[i->a];
    if (i->op == OP_PIPE_CLOSE) {
        next.closed[i->a] = 1;
        step_done(m, &next, t, closed ? -1 : 0);
    } else if (i->op == OP_PIPE_WRITE && closed) {
        step_done(m, &next, t, -1);
    } else if (i->op == OP_PIPE_WRITE) {
        if (c->count == MESSAGES) {
            step_undefined(m, m->from, t);
            return;
        }
        c->value[c->count++] = i->v;
        step_done(m, &next, t, 1);
    } else if (i->op == OP_PIPE_POLL) {
        if (c->count || closed || i->w)
            step_done(m, &next, t, c->count > 0 || closed);
    } else if (c->count) {
        int value = c->value[0];
        take_first(c);
        step_done(m, &next, t, value);
    } else if (closed) {
        step_done(m, &next, t, -1); /* the end of the file, as read_byte tells it */
    } else if (m->program->object[PIPE][i->a]) {
        step_done(m, &next, t, -EAGAIN);
    }
}

static void events(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    int8_t *value = &next.event[i->a];
    int how = m->program->object[EVENT][i->a], had = *value;
    if (i->op == OP_EVENT_WRITE) {
        *value += i->v;
        step_done(m, &next, t, 8);
    } else if (had) {
        *value = how & 1 ? had - 1 : 0;
        step_done(m, &next, t, how & 1 ? 1 : had);
    } else if (how & 2) {
        step_done(m, &next, t, -EAGAIN);
    }
}

static void futex_wait(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    int32_t value;
    memcpy(&value, next.memory + i->a, 4);
    if (own->phase == 0 && value != i->v) {
        step_done(m, &next, t, -EAGAIN);
    } else if (own->phase == 0) {
        own->queued = AT_FUTEX + i->a;
        step_within(m, &next, t, 1);
    } else if (i->op == OP_FUTEX_TIMED) {
        own->queued = NOBODY;
        step_done(m, &next, t, -ETIMEDOUT);
    }
}

/* Wakes as many as there are, but at most $v; whichever. */
static void futex_wake(struct moves *m, int t, const struct instruction *i)
{
    int waiters = 0, wanted;
    unsigned who = 0;
    for (int other = 0; other < THREADS; other++)
        if (m->from->thread[other].queued == AT_FUTEX + i->a) {
            who |= 1u << other;
            waiters++;
        }
    wanted = waiters < i->v ? waiters : i->v;
    for (unsigned set = 0; set < 1u << THREADS; set++) {
        if ((set & ~who) || __builtin_popcount(set) != wanted)
            continue;
        struct state next = *m->from;
        for (int other = 0; other < THREADS; other++)
            if (set >> other & 1) {
                next.thread[other].queued = NOBODY;
                complete(m->program, &next, other, 0);
            }
        step_done(m, &next, t, wanted);
    }
}

static void cells(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    int had = next.cell[i->a] - 1; /* 0: none */
    next.cell[i->a] = i->op == OP_CELL_PUT ? i->v + 1 : 0;
    step_done(m, &next, t, had);
}

static void choose(struct moves *m, int t, const struct instruction *i)
{
    for (int value = 0; value < i->v; value++) {
        struct state next = *m->from;
        step_done(m, &next, t, value);
    }
}

bool moves_system(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_MQ_SEND:
    case OP_MQ_TRY_SEND:
    case OP_MQ_TIMED_SEND:
        queue_send(m, t, i);
        return true;
    case OP_MQ_RECEIVE:
    case OP_MQ_TRY_RECEIVE:
    case OP_MQ_TIMED_RECEIVE:
        queue_receive(m, t, i);
        return true;
    case OP_MQ_COUNT: {
        struct state next = *m->from;
        step_done(m, &next, t, next.queue[i->a].count);
        return true;
    }
    case OP_PIPE_WRITE:
    case OP_PIPE_READ:
    case OP_PIPE_CLOSE:
    case OP_PIPE_POLL:
        pipes(m, t, i);
        return true;
    case OP_EVENT_WRITE:
    case OP_EVENT_READ:
        events(m, t, i);
        return true;
    case OP_FUTEX_WAIT:
    case OP_FUTEX_TIMED:
        futex_wait(m, t, i);
        return true;
    case OP_FUTEX_WAKE:
        futex_wake(m, t, i);
        return true;
    case OP_CELL_PUT:
    case OP_CELL_TAKE:
        cells(m, t, i);
        return true;
    case OP_CHOOSE:
        choose(m, t, i);
        return true;
    default:
        return false;
    }
}
