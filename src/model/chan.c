/* Ports as byte strings within the state: putting a message in is a memmove of what follows it. A
 * pool (async) is kept sorted, so that equal pools are equal bytes. */
#include "model/chan.h"

#include <string.h>

static int port_messages(const struct sys *s, const uint8_t *state, int port)
{
    const struct port *p = &s->ports[port];
    int n = 0;
    for (int i = 0; i < p->nqueues; i++)
        n += state[s->fixed + p->queue + i];
    return n;
}

/* Where in the pool a message belongs. */
static int sorted_place(const uint8_t *slots, int count, int size, const uint8_t *data)
{
    int i = 0;
    while (i < count && memcmp(slots + i * size, data, (size_t)size) < 0)
        i++;
    return i;
}

int chan_send(struct run *r, struct gstate *g, int port, int sender, const uint8_t *data)
{
    const struct sys *s = r->s;
    const struct port *p = &s->ports[port];
    int q = s->queue_of[port * s->nprocs + sender];
    if (port_messages(s, g->b, port) >= s->capacity) {
        eval_fault(r, FAULT_OVERFLOW, 0, 0, s->capacity, NULL);
        r->fault.port = port;
        return -1;
    }
    if (g->len + p->slot > SYS_STATE_MAX) {
        eval_fault(r, FAULT_SIZE, 0, 0, SYS_STATE_MAX, NULL);
        return -1;
    }
    uint8_t slot[SYS_STATE_MAX];
    memcpy(slot, data, (size_t)p->data);
    if (s->scheme == SCHEME_CAUSAL)
        causal_stamp(s, g->b, port, sender, slot);
    int off = chan_off(s, g->b, q), count = g->b[s->fixed + q];
    int pos = s->scheme == SCHEME_ASYNC ? sorted_place(g->b + off, count, p->slot, slot) : count;
    uint8_t *at = g->b + off + pos * p->slot;
    memmove(at + p->slot, at, (size_t)(g->b + g->len - at));
    memcpy(at, slot, (size_t)p->slot);
    g->b[s->fixed + q]++;
    g->len += p->slot;
    return 0;
}

void chan_take(struct run *r, struct gstate *g, int q, int pos, uint8_t *data)
{
    const struct sys *s = r->s;
    int port = s->queues[q].port;
    const struct port *p = &s->ports[port];
    uint8_t slot[SYS_STATE_MAX], *at = g->b + chan_off(s, g->b, q) + pos * p->slot;
    memcpy(slot, at, (size_t)p->slot);
    memcpy(data, slot, (size_t)p->data);
    memmove(at, at + p->slot, (size_t)(g->b + g->len - at - p->slot));
    g->b[s->fixed + q]--;
    g->len -= p->slot;
    if (s->scheme == SCHEME_CAUSAL) {
        causal_forget(s, g->b, q);
        causal_learn(s, g->b, port, slot);
    }
}

int chan_head_in_frontier(const struct sys *s, const uint8_t *state, int q)
{
    const struct port *p = &s->ports[s->queues[q].port];
    if (s->scheme != SCHEME_CAUSAL || p->nqueues < 2)
        return 1;
    const uint8_t *v = state + chan_off(s, state, q) + p->data;
    for (int i = 0; i < p->nqueues; i++)
        if (v[i])
            return 0;
    return 1;
}
