/* Causal communication: the happen-before graphs of section 2.4.2.
 *
 * For a port with several senders it must be known which waiting messages happen before which. The
 * messages of one sender are ordered, so what happens before an event is, in each queue (port,
 * sender), a prefix of it: one number. Kept are
 *   - per message, for each other queue of its port, how many of its messages come before it;
 *   - per process, for each tracked queue of the system, how many of its messages happened before
 *     the process's next event; a message carries the same numbers for its receiver.
 * The numbers count waiting messages only: when the first message of a queue is received, all
 * numbers about that queue go down by one. So they are bounded by the capacity and two states are
 * equal iff their happen-before graphs are. Sub-queues with parents (figures 2.7, 2.8) are another
 * way of writing the same relation; hbgraph.c prints it so.
 *
 * The dissertation's own rule divides only the last sub-queue of the sender and stops where that
 * leaves nothing; it thereby loses what is known through earlier sub-queues or through a third
 * process. The numbers keep the full relation. */
#include "model/chan.h"

#include <string.h>

static int known(const struct sys *s, const uint8_t *state, int proc, int q)
{
    const struct proc *p = &s->procs[proc];
    if (s->queues[q].sender == proc)
        return state[s->fixed + q];
    for (int i = 0; i < p->ntracked; i++)
        if (p->tracked[i] == q)
            return state[p->know_off + i];
    return 0;
}

/* Bytes of the vector over the queues of the message's own port. */
static int own_vector(const struct port *p)
{
    return p->nqueues > 1 ? p->nqueues : 0;
}

void causal_stamp(const struct sys *s, const uint8_t *state, int port, int sender, uint8_t *slot)
{
    const struct port *p = &s->ports[port];
    const struct proc *to = &s->procs[p->owner];
    uint8_t *v = slot + p->data;
    int n = own_vector(p);
    for (int i = 0; i < n; i++)
        v[i] = s->queues[p->queue + i].sender == sender
                   ? 0
                   : (uint8_t)known(s, state, sender, p->queue + i);
    for (int i = 0; i < to->ntracked; i++)
        v[n + i] = (uint8_t)known(s, state, sender, to->tracked[i]);
}

/* The first message of queue q is gone. */
void causal_forget(const struct sys *s, uint8_t *state, int q)
{
    for (int i = 0; i < s->nprocs; i++) {
        const struct proc *p = &s->procs[i];
        for (int k = 0; k < p->ntracked; k++)
            if (p->tracked[k] == q)
                state[p->know_off + k] -= state[p->know_off + k] > 0;
    }
    uint8_t *slot = state + s->fixed + s->nqueues;
    for (int k = 0; k < s->nqueues; k++) {
        const struct port *p = &s->ports[s->queues[k].port];
        const struct proc *to = &s->procs[p->owner];
        int n = own_vector(p), own = q - p->queue;
        for (int c = state[s->fixed + k]; c > 0; c--, slot += p->slot) {
            uint8_t *v = slot + p->data;
            if (own >= 0 && own < n)
                v[own] -= v[own] > 0;
            for (int i = 0; i < to->ntracked; i++)
                if (to->tracked[i] == q)
                    v[n + i] -= v[n + i] > 0;
        }
    }
}

void causal_learn(const struct sys *s, uint8_t *state, int port, const uint8_t *slot)
{
    const struct port *p = &s->ports[port];
    const struct proc *to = &s->procs[p->owner];
    const uint8_t *v = slot + p->data + own_vector(p);
    uint8_t *know = state + to->know_off;
    for (int i = 0; i < to->ntracked; i++)
        know[i] = v[i] > know[i] ? v[i] : know[i];
}

int causal_before(const struct sys *s, const uint8_t *state, int q, int pos, int from)
{
    const struct port *p = &s->ports[s->queues[q].port];
    const uint8_t *slot = state + chan_off(s, state, q) + pos * p->slot;
    if (from == q)
        return pos;
    return own_vector(p) ? slot[p->data + from - p->queue] : 0;
}
