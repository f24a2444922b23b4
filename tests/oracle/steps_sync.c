/* steps_sync.c — <raddle/sync.h>, from its comments: ports, selective wait, monitors, semaphores,
 * locks. */
#include "state.h"

#include <string.h>

enum { FIFO, CAUSAL, ASYNC };
enum { AT_PORT = 40, AT_CONDITION = 50, AT_URGENT = 60 };

static int order_of(const struct moves *m, int port)
{
    return m->program->object[PORT][port] & 3;
}

static void send(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct channel *c = &next.port[i->a];
    int capacity = m->program->object[PORT][i->a] >> 2;
    if (m->from->thread[t].queued != NOBODY || (capacity && c->count >= capacity))
        return;
    if (c->count == MESSAGES) {
        step_undefined(m, m->from, t);
        return;
    }
    next.thread[t].knows[t] += order_of(m, i->a) == CAUSAL;
    memcpy(next.known[i->a][c->count], next.thread[t].knows, THREADS); /* a message of any port tells */
    c->value[c->count] = i->v;
    c->from[c->count] = t;
    c->call[c->count++] = i->op == OP_CALL;
    if (i->op == OP_SEND) {
        step_done(m, &next, t, 0);
        return;
    }
    next.thread[t].queued = AT_PORT + i->a;
    step_within(m, &next, t, 1);
}

static void take_out(struct channel *c, int k)
{
    for (c->count--; k < c->count; k++) {
        c->value[k] = c->value[k + 1];
        c->from[k] = c->from[k + 1];
        c->priority[k] = c->priority[k + 1];
        c->call[k] = c->call[k + 1];
    }
    c->value[k] = c->from[k] = c->priority[k] = c->call[k] = 0;
}

/* Did whoever sent message `late` of the causal port know of `early`? */
static bool knew(const struct moves *m, int port, int late, int early)
{
    int from = m->from->port[port].from[early];
    return m->from->known[port][early][from] <= m->from->known[port][late][from];
}

/* FIFO: none that the same thread sent before. CAUSAL: none that its sender knew of. ASYNC: any. */
static bool may_arrive(const struct moves *m, const struct channel *c, int port, int k)
{
    for (int before = 0; before < k; before++)
        if (order_of(m, port) == FIFO ? c->from[before] == c->from[k]
                                      : order_of(m, port) == CAUSAL && knew(m, port, k, before))
            return false;
    return true;
}

static void hear(struct state *s, int t, const int8_t *known)
{
    for (int k = 0; k < THREADS; k++)
        if (known[k] > s->thread[t].knows[k])
            s->thread[t].knows[k] = known[k];
}

/* What was sent to a causal port before the receiver looks has arrived. */
static bool has_arrived(const struct moves *m, int t, int port)
{
    const struct channel *c = &m->from->port[port];
    for (int k = 0; order_of(m, port) == CAUSAL && k < c->count; k++)
        if (m->from->known[port][k][c->from[k]] <= m->from->thread[t].knows[c->from[k]])
            return true;
    return false;
}

static void receive(struct moves *m, int t, int port, bool select)
{
    const struct channel *from = &m->from->port[port];
    if (from->receiver && from->receiver != t + 1) {
        step_undefined(m, m->from, t);
        return;
    }
    for (int k = 0; k < from->count; k++) {
        if (!may_arrive(m, from, port, k))
            continue;
        struct state next = *m->from;
        struct channel *c = &next.port[port];
        int value = c->value[k], sender = c->from[k], call = c->call[k];
        hear(&next, t, next.known[port][k]);
        memmove(next.known[port][k], next.known[port][k + 1], (MESSAGES - 1 - k) * THREADS);
        memset(next.known[port][MESSAGES - 1], 0, THREADS);
        take_out(c, k);
        c->receiver = t + 1;
        if (call) {
            hear(&next, sender, next.thread[t].knows);
            next.thread[sender].queued = NOBODY;
            complete(m->program, &next, sender, 0);
        }
        step_done(m, &next, t, select ? 100 * port + value : value);
    }
}

/* Messages travel for an unknown time: "else" and a timeout are possible, unless one has arrived. */
static void selective(struct moves *m, int t, const struct instruction *i)
{
    bool arrived = false;
    for (int port = 0; port < 2; port++)
        if (i->a >> port & 1) {
            receive(m, t, port, true);
            arrived |= has_arrived(m, t, port);
        }
    if (i->w && !arrived) {
        struct state next = *m->from;
        step_done(m, &next, t, -1);
    }
}

/* The monitor is free: who waits urgently goes on at once. */
static void give_monitor(const struct program *p, struct state *s)
{
    s->monitor.owner = NOBODY;
    for (int t = 0; t < THREADS; t++)
        if (s->thread[t].queued == AT_URGENT) {
            s->thread[t].queued = NOBODY;
            s->monitor.urgent--;
            s->monitor.owner = t;
            complete(p, s, t, 0);
            return;
        }
}

static void condition_wait(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    if (own->phase == 0) {
        next.monitor.queue[i->a][next.monitor.queued[i->a]++] = t;
        own->queued = AT_CONDITION + i->a;
        own->phase = 1;
        give_monitor(m->program, &next);
        m->found(m->who, &next, t);
    } else if (own->queued == NOBODY && next.monitor.owner == NOBODY) {
        next.monitor.owner = t;
        step_done(m, &next, t, 0);
    }
}

static int first_waiter(struct monitor *n, int condition)
{
    int first = n->queue[condition][0];
    n->queued[condition]--;
    memmove(&n->queue[condition][0], &n->queue[condition][1], THREADS - 1);
    n->queue[condition][THREADS - 1] = 0;
    return first;
}

/* With two signallers that wait urgently the header does not say who is first. */
static void condition_signal(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct monitor *n = &next.monitor;
    bool urgent = m->program->object[MONITOR][0] == 1;
    if (next.thread[t].phase)
        return;
    if (n->queued[i->a] && urgent) {
        int woken = first_waiter(n, i->a);
        if (n->urgent++ || i->op == OP_MONITOR_BROADCAST) {
            step_undefined(m, m->from, t);
            return;
        }
        n->owner = woken;
        next.thread[woken].queued = NOBODY;
        next.thread[t].queued = AT_URGENT;
        next.thread[t].phase = 1;
        complete(m->program, &next, woken, 0);
        m->found(m->who, &next, t);
        return;
    }
    while (n->queued[i->a]) {
        next.thread[first_waiter(n, i->a)].queued = NOBODY;
        if (i->op == OP_MONITOR_SIGNAL)
            break;
    }
    step_done(m, &next, t, 0);
}

static void monitor(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct monitor *n = &next.monitor;
    if (i->op == OP_ENTER) {
        if (n->owner != NOBODY)
            return;
        n->owner = t;
        step_done(m, &next, t, 0);
    } else if (n->owner != t && m->from->thread[t].phase == 0) {
        step_undefined(m, m->from, t);
    } else if (i->op == OP_LEAVE) {
        give_monitor(m->program, &next);
        step_done(m, &next, t, 0);
    } else if (i->op == OP_MONITOR_WAIT) {
        condition_wait(m, t, i);
    } else if (i->op == OP_MONITOR_EMPTY) {
        step_done(m, &next, t, n->queued[i->a] == 0);
    } else {
        condition_signal(m, t, i);
    }
}

static void semaphores(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    bool binary = i->op == OP_BINARY_WAIT || i->op == OP_BINARY_POST;
    int8_t *value = binary ? &next.binary[i->a] : &next.rsem[i->a];
    if (i->op == OP_RSEM_POST || i->op == OP_BINARY_POST) {
        if (binary && *value)
            return;
        ++*value;
        step_done(m, &next, t, 0);
    } else if (*value) {
        --*value;
        step_done(m, &next, t, 1);
    } else if (i->op == OP_RSEM_TRY) {
        step_done(m, &next, t, 0);
    }
}

static void locks(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    int8_t *owner = &next.lock[i->a]; /* thread + 1 */
    if (i->op == OP_RLOCK_RELEASE ? *owner != t + 1 : *owner == t + 1) {
        step_undefined(m, m->from, t);
    } else if (i->op == OP_RLOCK_RELEASE || !*owner) {
        *owner = *owner ? 0 : t + 1;
        step_done(m, &next, t, 0);
    }
}

bool moves_sync(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_SEND:
    case OP_CALL:
        send(m, t, i);
        return true;
    case OP_RECEIVE:
        receive(m, t, i->a, false);
        return true;
    case OP_SELECT:
        selective(m, t, i);
        return true;
    case OP_ENTER:
    case OP_LEAVE:
    case OP_MONITOR_WAIT:
    case OP_MONITOR_SIGNAL:
    case OP_MONITOR_BROADCAST:
    case OP_MONITOR_EMPTY:
        monitor(m, t, i);
        return true;
    case OP_RSEM_WAIT:
    case OP_RSEM_TRY:
    case OP_RSEM_POST:
    case OP_BINARY_WAIT:
    case OP_BINARY_POST:
        semaphores(m, t, i);
        return true;
    case OP_RLOCK_TAKE:
    case OP_RLOCK_RELEASE:
        locks(m, t, i);
        return true;
    default:
        return false;
    }
}
