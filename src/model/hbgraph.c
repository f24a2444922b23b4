/* The happen-before graph of a port, written as in section 2.4.2: the queue of every sender divided
 * into sub-queues, each sub-queue with its parents. A queue is cut where something that was sent,
 * or is still to be sent, by another process has learned of what is before the cut but not of what
 * is after it, and where a message has more before it than the one in front of it. The last
 * sub-queue of a sender may be empty: it is what the sender will send next. */
#include "model/chan.h"
#include "model/show.h"

#include <stdlib.h>

/* How many messages of queue `from` happen before message pos of queue q; pos = the queue's length:
 * before what its sender sends next. */
static int before(const struct sys *s, const struct gstate *g, int q, int pos, int from)
{
    if (pos < g->b[s->fixed + q])
        return causal_before(s, g->b, q, pos, from);
    const struct proc *p = &s->procs[s->queues[q].sender];
    for (int i = 0; i < p->ntracked; i++)
        if (p->tracked[i] == from)
            return g->b[p->know_off + i];
    return 0;
}

/* Is there a cut in queue q before position pos (0 < pos ≤ length)? */
static int is_cut(const struct sys *s, const struct gstate *g, int q, int pos)
{
    const struct port *p = &s->ports[s->queues[q].port];
    for (int k = p->queue; k < p->queue + p->nqueues; k++) {
        if (k == q)
            continue;
        if (before(s, g, q, pos, k) != before(s, g, q, pos - 1, k))
            return 1;
        int n = g->b[s->fixed + k];
        for (int i = 0; i <= n; i++)
            if (before(s, g, k, i, q) == pos && pos < g->b[s->fixed + q])
                return 1;
    }
    return 0;
}

/* The number of the sub-queue of q that holds position pos. */
static int sub_queue(const struct sys *s, const struct gstate *g, int q, int pos)
{
    int n = 1;
    for (int i = 1; i <= pos; i++)
        n += is_cut(s, g, q, i);
    return n;
}

static void parents(const struct sys *s, const struct gstate *g, int q, int pos, struct sbuf *b)
{
    const struct port *p = &s->ports[s->queues[q].port];
    int any = 0;
    for (int k = p->queue; k < p->queue + p->nqueues; k++) {
        int n = k == q ? 0 : before(s, g, q, pos, k);
        int earlier = pos > 0 ? before(s, g, q, pos - 1, k) : 0;
        if (n == 0 || (k != q && n == earlier))
            continue;
        sbuf_printf(b, "%s%s.%d", any++ ? ", " : " after ", s->procs[s->queues[k].sender].name,
                    sub_queue(s, g, k, n - 1));
    }
}

static void one_queue(const struct sys *s, const struct gstate *g, int q, struct sbuf *b)
{
    int port = s->queues[q].port, n = g->b[s->fixed + q], number = 0;
    const uint8_t *slot = g->b + chan_off(s, g->b, q);
    for (int pos = 0; pos <= n; pos++) {
        struct sbuf after = {0};
        parents(s, g, q, pos, &after);
        int starts = pos == 0 ? n > 0 || after.len : is_cut(s, g, q, pos);
        if (starts)
            sbuf_printf(b, "%s%s.%d%s:", number ? "\n" : "", s->procs[s->queues[q].sender].name,
                        number + 1, sbuf_str(&after));
        number += starts;
        if (pos < n) {
            sbuf_putc(b, ' ');
            show_message(s, port, slot + pos * s->ports[port].slot, b);
        }
        sbuf_free(&after);
    }
    if (number)
        sbuf_putc(b, '\n');
}

void show_happen_before(const struct sys *s, const struct gstate *g, int port, struct sbuf *b)
{
    const struct port *p = &s->ports[port];
    for (int q = p->queue; q < p->queue + p->nqueues; q++)
        one_queue(s, g, q, b);
}
