/* Messages in ports, for every scheme but instant (which has none). */
#ifndef MODEL_CHAN_H
#define MODEL_CHAN_H

#include "model/step.h"

/* Where the first message of queue q is. */
static inline int chan_off(const struct sys *s, const uint8_t *state, int q)
{
    const uint8_t *count = state + s->fixed;
    int off = s->fixed + s->nqueues;
    for (int k = 0; k < q; k++)
        off += count[k] * s->ports[s->queues[k].port].slot;
    return off;
}

/* The type of the message in a slot. */
static inline int chan_type(const struct port *p, const uint8_t *slot)
{
    return p->ntypes > 1 ? p->types[slot[0]] : p->types[0];
}

static inline const uint8_t *chan_fields(const struct port *p, const uint8_t *slot)
{
    return slot + (p->ntypes > 1);
}

/* Puts a message (p->data bytes) from a process into a port. -1: the port is full or the state too
 * large (r->fault). */
int chan_send(struct run *r, struct gstate *g, int port, int sender, const uint8_t *data);

/* Takes the message at pos of queue q out; its data go to *data. */
void chan_take(struct run *r, struct gstate *g, int q, int pos, uint8_t *data);

/* Is the first message of queue q in the frontier of its port? (definition 3) */
int chan_head_in_frontier(const struct sys *s, const uint8_t *state, int q);

/* causal.c: the vectors of a message about to be sent, and what a receiver learns. */
void causal_stamp(const struct sys *s, const uint8_t *state, int port, int sender, uint8_t *slot);
void causal_forget(const struct sys *s, uint8_t *state, int q);
void causal_learn(const struct sys *s, uint8_t *state, int port, const uint8_t *slot);
/* The messages of sender queue `from` that happen before message pos of queue q (same port). */
int causal_before(const struct sys *s, const uint8_t *state, int q, int pos, int from);

#endif
