#include "model/show.h"

#include "model/chan.h"

void show_value(const struct sys *s, int type, long long value, struct sbuf *b)
{
    if (type == TYPE_BOOL)
        sbuf_puts(b, value ? "true" : "false");
    else if (type >= 0 && value >= 0 && value < s->enums[type].count)
        sbuf_puts(b, s->enums[type].values[value]);
    else
        sbuf_printf(b, "%lld", value);
}

void show_message(const struct sys *s, int port, const uint8_t *slot, struct sbuf *b)
{
    const struct port *p = &s->ports[port];
    const struct msg_type *m = &s->msgs[chan_type(p, slot)];
    const uint8_t *data = chan_fields(p, slot);
    sbuf_puts(b, m->name);
    for (int i = 0; i < m->nfields; i++) {
        const struct msg_field *f = &m->fields[i];
        sbuf_puts(b, i ? ", " : "(");
        show_value(s, f->type, f->lo + (long long)sys_get(data + f->off, f->width), b);
    }
    if (m->nfields)
        sbuf_putc(b, ')');
}

static void show_process(const struct sys *s, const struct gstate *g, int proc, struct sbuf *b)
{
    const struct proc *p = &s->procs[proc];
    sbuf_puts(b, p->locs[g->b[p->loc_off]]);
    for (int i = 0; i < p->nvars; i++) {
        const struct scalar *v = &p->vars[i];
        sbuf_printf(b, " %s=", v->name);
        show_value(s, v->type, v->lo + (long long)sys_get(g->b + v->off, v->width), b);
    }
}

static void show_queue(const struct sys *s, const struct gstate *g, int q, struct sbuf *b)
{
    int port = s->queues[q].port;
    const uint8_t *slot = g->b + chan_off(s, g->b, q);
    if (s->queues[q].sender >= 0)
        sbuf_printf(b, "%s → %s:", s->procs[s->queues[q].sender].name, s->ports[port].name);
    else
        sbuf_printf(b, "%s:", s->ports[port].name);
    for (int i = 0; i < g->b[s->fixed + q]; i++, slot += s->ports[port].slot) {
        sbuf_putc(b, ' ');
        show_message(s, port, slot, b);
    }
}

void show_state(const struct sys *s, const struct gstate *g, const char *indent, struct sbuf *b)
{
    for (int i = 0; i < s->nprocs; i++) {
        sbuf_printf(b, "%s%s: ", indent, s->procs[i].name);
        show_process(s, g, i, b);
        sbuf_putc(b, '\n');
    }
    for (int q = 0; q < s->nqueues; q++)
        if (g->b[s->fixed + q]) {
            sbuf_puts(b, indent);
            show_queue(s, g, q, b);
            sbuf_putc(b, '\n');
        }
}

void show_state_short(const struct sys *s, const struct gstate *g, struct sbuf *b)
{
    for (int i = 0; i < s->nprocs; i++) {
        sbuf_puts(b, i ? " | " : "");
        show_process(s, g, i, b);
    }
    for (int q = 0; q < s->nqueues; q++)
        if (g->b[s->fixed + q]) {
            sbuf_puts(b, " | ");
            show_queue(s, g, q, b);
        }
}

/* The message a send would send, from its arguments. */
static void show_sent(const struct sys *s, const struct gstate *g, const struct trans *t,
                      struct sbuf *b)
{
    struct run r = {.s = s};
    const struct msg_type *m = &s->msgs[t->msg];
    sbuf_puts(b, m->name);
    for (int i = 0; i < t->nargs; i++) {
        sbuf_puts(b, i ? ", " : "(");
        show_value(s, m->fields[i].type, eval(&r, t->args[i], g->b), b);
    }
    if (t->nargs)
        sbuf_putc(b, ')');
    int port = eval_port(&r, t, g->b);
    sbuf_printf(b, " to %s", port < 0 ? "?" : s->ports[port].name);
}

void show_step(const struct sys *s, const struct gstate *g, struct model_step st, struct sbuf *b)
{
    const struct trans *t = &s->trans[st.trans];
    sbuf_puts(b, s->procs[t->proc].name);
    if (t->action == ACT_SEND) {
        sbuf_puts(b, " sends ");
        show_sent(s, g, t, b);
    } else if (t->action == ACT_RECV) {
        int port = s->queues[st.queue].port, from = s->queues[st.queue].sender;
        sbuf_puts(b, " receives ");
        show_message(s, port, g->b + chan_off(s, g->b, st.queue) + st.pos * s->ports[port].slot, b);
        if (from >= 0)
            sbuf_printf(b, " of %s", s->procs[from].name);
        sbuf_printf(b, " at %s", s->ports[port].name);
    } else {
        sbuf_printf(b, " %s", *t->text ? t->text : "moves");
    }
    if (t->from != t->to)
        sbuf_printf(b, ", now %s", s->procs[t->proc].locs[t->to]);
}

void show_fault(const struct sys *s, const struct fault *f, struct sbuf *b)
{
    switch (f->kind) {
    case FAULT_ASSERT:
        sbuf_puts(b, "assertion violated");
        if (f->text)
            sbuf_printf(b, ": %s", f->text);
        break;
    case FAULT_RANGE:
        sbuf_printf(b, "the value %lld is out of range", f->value);
        break;
    case FAULT_INDEX:
        sbuf_printf(b, "the index %lld is out of bounds", f->value);
        break;
    case FAULT_DIVISION:
        sbuf_puts(b, "division by zero");
        break;
    case FAULT_OVERFLOW:
        sbuf_printf(b, "port overflow: %s holds %d messages already", s->ports[f->port].name,
                    s->capacity);
        break;
    case FAULT_SIZE:
        sbuf_printf(b, "a state grows beyond %d bytes", SYS_STATE_MAX);
        break;
    case FAULT_NONE:
        break;
    }
    if (f->line)
        sbuf_printf(b, " (%s:%d:%d)", s->src->file, f->line, f->col);
}
