/* Enabled global transitions and their execution. The order within a transition is that of section
 * 2.3.1: the message is saved (or removed) first, then the computation block runs, then the local
 * state changes. */
#include "model/chan.h"

#include <string.h>

static int guard_holds(struct run *r, const struct trans *t, const uint8_t *state)
{
    return !t->guard || eval(r, t->guard, state);
}

/* Would the receive transition take this message? */
static int accepts(struct run *r, const struct trans *t, const struct port *p, const uint8_t *slot,
                   const uint8_t *state)
{
    if (chan_type(p, slot) != t->msg)
        return 0;
    const struct msg_type *m = &r->s->msgs[t->msg];
    const uint8_t *data = chan_fields(p, slot);
    for (int i = 0; i < t->nargs; i++) {
        const struct msg_field *f = &m->fields[i];
        if (t->args[i] &&
            eval(r, t->args[i], state) != f->lo + (long long)sys_get(data + f->off, f->width))
            return 0;
    }
    return 1;
}

static void receives_from_pool(struct run *r, const struct gstate *g, int trans, int q,
                               step_list *into)
{
    const struct sys *s = r->s;
    const struct port *p = &s->ports[s->queues[q].port];
    const uint8_t *slot = g->b + chan_off(s, g->b, q);
    for (int i = 0; i < g->b[s->fixed + q]; i++, slot += p->slot) {
        if (i > 0 && !memcmp(slot, slot - p->slot, (size_t)p->slot))
            continue; /* the same message twice: the same successor */
        if (accepts(r, &s->trans[trans], p, slot, g->b)) {
            struct model_step st = {(int16_t)trans, -1, (int16_t)q, (int16_t)i};
            vec_push(into, st);
        }
    }
}

static void receives(struct run *r, const struct gstate *g, int trans, step_list *into)
{
    const struct sys *s = r->s;
    const struct trans *t = &s->trans[trans];
    int port = eval_port(r, t, g->b);
    if (port < 0)
        return;
    const struct port *p = &s->ports[port];
    for (int q = p->queue; q < p->queue + p->nqueues; q++) {
        if (!g->b[s->fixed + q])
            continue;
        if (s->scheme == SCHEME_ASYNC) {
            receives_from_pool(r, g, trans, q, into);
        } else if (chan_head_in_frontier(s, g->b, q) &&
                   accepts(r, t, p, g->b + chan_off(s, g->b, q), g->b)) {
            struct model_step st = {(int16_t)trans, -1, (int16_t)q, 0};
            vec_push(into, st);
        }
    }
}

/* The message of a send, as it lies in a slot of the port; 0 or -1 with a fault. */
static int encode(struct run *r, const struct trans *t, int port, const uint8_t *state,
                  uint8_t *data)
{
    const struct port *p = &r->s->ports[port];
    const struct msg_type *m = &r->s->msgs[t->msg];
    memset(data, 0, (size_t)p->data);
    for (int i = 0; p->ntypes > 1 && i < p->ntypes; i++)
        if (p->types[i] == t->msg)
            data[0] = (uint8_t)i;
    uint8_t *fields = data + (p->ntypes > 1);
    for (int i = 0; i < t->nargs; i++) {
        const struct msg_field *f = &m->fields[i];
        long long v = eval(r, t->args[i], state);
        if (v < f->lo || v > f->hi) {
            eval_fault(r, FAULT_RANGE, t->args[i]->line, t->args[i]->col, v, NULL);
            return -1;
        }
        sys_put(fields + f->off, f->width, (uint32_t)(v - f->lo));
    }
    return r->fault.kind ? -1 : 0;
}

/* Instant communication: every receive that could take the message now. A send that faults is a
 * step of its own, so that executing it shows the fault. */
static void handshakes(struct run *r, const struct gstate *g, int trans, step_list *into)
{
    const struct sys *s = r->s;
    uint8_t data[SYS_STATE_MAX];
    int port = eval_port(r, &s->trans[trans], g->b);
    if (port < 0 || encode(r, &s->trans[trans], port, g->b, data)) {
        struct model_step st = {(int16_t)trans, -1, -1, 0};
        vec_push(into, st);
        r->fault.kind = FAULT_NONE;
        return;
    }
    const struct proc *o = &s->procs[s->ports[port].owner];
    int loc = g->b[o->loc_off];
    for (int i = o->first[loc]; i < o->first[loc] + o->count[loc]; i++) {
        const struct trans *t = &s->trans[i];
        if (t->action == ACT_RECV && guard_holds(r, t, g->b) && eval_port(r, t, g->b) == port &&
            accepts(r, t, &s->ports[port], data, g->b)) {
            struct model_step st = {(int16_t)trans, (int16_t)i, -1, 0};
            vec_push(into, st);
        }
    }
}

void step_enabled(struct run *r, const struct gstate *g, int proc, step_list *into, int *open)
{
    const struct sys *s = r->s;
    const struct proc *p = &s->procs[proc];
    int loc = g->b[p->loc_off];
    *open = 0;
    for (int i = p->first[loc]; i < p->first[loc] + p->count[loc]; i++) {
        const struct trans *t = &s->trans[i];
        if (!guard_holds(r, t, g->b))
            continue;
        if (t->action == ACT_RECV) {
            ++*open;
            receives(r, g, i, into);
        } else if (t->action == ACT_SEND && s->scheme == SCHEME_INSTANT) {
            handshakes(r, g, i, into);
        } else {
            struct model_step st = {(int16_t)i, -1, -1, 0};
            vec_push(into, st);
        }
    }
}

void step_all(struct run *r, const struct gstate *g, step_list *into)
{
    int open;
    for (int i = 0; i < r->s->nprocs; i++)
        step_enabled(r, g, i, into, &open);
}

static void bind(struct run *r, struct gstate *g, const struct trans *t, int port,
                 const uint8_t *data)
{
    const struct msg_type *m = &r->s->msgs[t->msg];
    const uint8_t *fields = chan_fields(&r->s->ports[port], data);
    for (int i = 0; i < t->nargs; i++) {
        const struct msg_field *f = &m->fields[i];
        if (t->into[i])
            eval_store(r, t->into[i], g->b, f->lo + (long long)sys_get(fields + f->off, f->width),
                       t->line, 1);
    }
}

static void finish(struct run *r, struct gstate *g, const struct trans *t)
{
    eval_block(r, &t->body, g->b);
    g->b[r->s->procs[t->proc].loc_off] = (uint8_t)t->to;
}

void step_exec(struct run *r, struct gstate *g, struct model_step st)
{
    const struct sys *s = r->s;
    const struct trans *t = &s->trans[st.trans];
    uint8_t data[SYS_STATE_MAX];
    r->fault.kind = FAULT_NONE;
    if (t->action == ACT_SEND) {
        int port = eval_port(r, t, g->b);
        if (port < 0 || encode(r, t, port, g->b, data))
            return;
        if (s->scheme == SCHEME_INSTANT) {
            if (st.other >= 0) {
                bind(r, g, &s->trans[st.other], port, data);
                finish(r, g, &s->trans[st.other]);
            }
        } else if (chan_send(r, g, port, t->proc, data)) {
            return;
        }
    } else if (t->action == ACT_RECV) {
        int port = s->queues[st.queue].port;
        chan_take(r, g, st.queue, st.pos, data);
        bind(r, g, t, port, data);
    }
    if (!r->fault.kind)
        finish(r, g, t);
}

/* Can a message of another process become new in the frontier of this port and be of this type?
 * With a queue per sender only from a sender whose queue is empty. */
static int may_arrive(const struct sys *s, const struct gstate *g, int proc, int port, int msg)
{
    int per_sender = s->scheme == SCHEME_FIFO || s->scheme == SCHEME_CAUSAL;
    for (int j = 0; j < s->nprocs; j++) {
        int q = s->queue_of[port * s->nprocs + j];
        if (j == proc || (q < 0 && s->scheme != SCHEME_INSTANT))
            continue;
        if ((per_sender || s->scheme == SCHEME_MAILBOX) && g->b[s->fixed + q])
            continue;
        if (sys_reachable(s, j, g->b[s->procs[j].loc_off], port, msg))
            return 1;
    }
    return 0;
}

/* The next receive at or after *i that proc could do here if its message were there: its port;
 * -1 if none is left. Leaves *i behind it and the receive in *t. */
static int next_receive(struct run *r, const struct gstate *g, int proc, int *i, const struct trans **t)
{
    const struct proc *p = &r->s->procs[proc];
    int loc = g->b[p->loc_off];
    for (int n = p->count[loc]; *i < n;) {
        *t = &r->s->trans[p->first[loc] + (*i)++];
        if ((*t)->action != ACT_RECV || !guard_holds(r, *t, g->b))
            continue;
        int port = eval_port(r, *t, g->b);
        if (port >= 0)
            return port;
    }
    return -1;
}

int step_potential_het(struct run *r, const struct gstate *g, int proc)
{
    const struct trans *t;
    for (int i = 0, port; (port = next_receive(r, g, proc, &i, &t)) >= 0;)
        if (may_arrive(r->s, g, proc, port, t->msg))
            return 1;
    return 0;
}

int step_is_final(const struct sys *s, const struct gstate *g)
{
    for (int i = 0; i < s->nprocs; i++)
        if (!s->procs[i].final[g->b[s->procs[i].loc_off]])
            return 0;
    for (int q = 0; q < s->nqueues; q++)
        if (g->b[s->fixed + q])
            return 0;
    return 1;
}

int step_unspecified(struct run *r, const struct gstate *g, int proc)
{
    const struct sys *s = r->s;
    const struct trans *t;
    for (int i = 0, port; (port = next_receive(r, g, proc, &i, &t)) >= 0;)
        for (int k = 0; k < s->ports[port].nqueues; k++)
            if (g->b[s->fixed + s->ports[port].queue + k])
                return step_potential_het(r, g, proc) ? -1 : port;
    return -1;
}
