/* One active proctype per process instance, one label per local state, one d_step per transition,
 * so that SPIN's states are ours: its counts can be compared. Variables are global (an ltl formula
 * can only see those); a queue is a channel, so the capacity is per queue. Asynchronous
 * communication has no channel in Promela that gives messages in any order: a pool is an array of
 * counters, one per possible message, which is only done when there are few. Causal communication
 * cannot be expressed; instant would need handshakes in which both computation blocks run at once.
 *
 * pan -q (valid end states have empty channels) asks for the same deadlocks as raddle model. */
#include "model/promela_impl.h"

#include <stdlib.h>
#include <string.h>

/* "&& port == this one", for a transition whose port depends on variables. */
static void port_condition(struct promela *p, int port)
{
    if (!p->t->nindex)
        return;
    sbuf_printf(p->b, " && (%d", p->t->port_base);
    for (int i = 0; i < p->t->nindex; i++) {
        sbuf_puts(p->b, " + (");
        promela_expr(p, p->t->port_index[i].index);
        sbuf_printf(p->b, ") * %d", p->t->port_index[i].stride);
    }
    sbuf_printf(p->b, ") == %d", port);
}

static void guard(struct promela *p, int port)
{
    if (p->t->guard)
        promela_expr(p, p->t->guard);
    else
        sbuf_puts(p->b, "true");
    if (port >= 0)
        port_condition(p, port);
}

static int port_fields(const struct sys *s, int port)
{
    int n = 0;
    for (int i = 0; i < s->ports[port].ntypes; i++) {
        int k = s->msgs[s->ports[port].types[i]].nfields;
        n = k > n ? k : n;
    }
    return n;
}

static int type_index(const struct port *p, int msg)
{
    int i = 0;
    while (p->types[i] != msg)
        i++;
    return i;
}

/* How many different messages of this type there are, and how many of the types before it. */
static long long type_size(const struct sys *s, int msg)
{
    long long n = 1;
    for (int i = 0; i < s->msgs[msg].nfields; i++) {
        n *= s->msgs[msg].fields[i].hi - s->msgs[msg].fields[i].lo + 1;
        if (n > PROMELA_POOL_MAX)
            return PROMELA_POOL_MAX + 1;
    }
    return n;
}

static long long type_base(const struct sys *s, int port, int msg)
{
    long long n = 0;
    for (int i = 0; i < s->ports[port].ntypes && s->ports[port].types[i] != msg; i++)
        n += type_size(s, s->ports[port].types[i]);
    return n;
}

static void option_start(struct promela *p, int port)
{
    sbuf_puts(p->b, "    :: d_step { (");
    guard(p, port);
}

static void option_end(struct promela *p)
{
    promela_block(p, &p->t->body);
    sbuf_printf(p->b, " }; goto S%d;\n", p->t->to);
}

static void send_to_pool(struct promela *p, int port)
{
    const struct msg_type *m = &p->s->msgs[p->t->msg];
    option_start(p, port);
    sbuf_printf(p->b, ") -> pool%d[%lld", port, type_base(p->s, port, p->t->msg));
    long long stride = 1;
    for (int i = 0; i < p->t->nargs; i++) {
        sbuf_puts(p->b, " + ((");
        promela_expr(p, p->t->args[i]);
        sbuf_printf(p->b, ") - (%lld)) * %lld", m->fields[i].lo, stride);
        stride *= m->fields[i].hi - m->fields[i].lo + 1;
    }
    sbuf_puts(p->b, "]++;");
    option_end(p);
}

static void send_to(void *arg, int port)
{
    struct promela *p = arg;
    const struct sys *s = p->s;
    if (s->scheme == SCHEME_ASYNC) {
        send_to_pool(p, port);
        return;
    }
    if (s->queue_of[port * s->nprocs + p->t->proc] < 0)
        return; /* the local state is never reached */
    option_start(p, port);
    sbuf_printf(p->b, ") -> q%d!", s->queue_of[port * s->nprocs + p->t->proc]);
    sbuf_printf(p->b, "%d", type_index(&s->ports[port], p->t->msg));
    for (int i = 0; i < port_fields(s, port); i++) {
        sbuf_putc(p->b, ',');
        if (i < p->t->nargs)
            promela_expr(p, p->t->args[i]);
        else
            sbuf_putc(p->b, '0');
    }
    sbuf_putc(p->b, ';');
    option_end(p);
}

static void pattern(struct promela *p, int port, int poll)
{
    const struct trans *t = p->t;
    sbuf_printf(p->b, "%d", type_index(&p->s->ports[port], t->msg));
    for (int i = 0; i < port_fields(p->s, port); i++) {
        sbuf_putc(p->b, ',');
        if (i < t->nargs && t->args[i]) {
            sbuf_puts(p->b, "eval(");
            promela_expr(p, t->args[i]);
            sbuf_putc(p->b, ')');
        } else if (i < t->nargs && t->into[i] && !poll) {
            promela_place(p, t->into[i]);
        } else {
            sbuf_putc(p->b, '_');
        }
    }
}

static void receive_from_pool(struct promela *p, int port)
{
    const struct msg_type *m = &p->s->msgs[p->t->msg];
    long long base = type_base(p->s, port, p->t->msg), n = type_size(p->s, p->t->msg);
    for (long long c = 0; c < n; c++) {
        option_start(p, port);
        sbuf_printf(p->b, " && pool%d[%lld] > 0", port, base + c);
        long long rest = c;
        for (int i = 0; i < p->t->nargs; i++) {
            long long range = m->fields[i].hi - m->fields[i].lo + 1;
            if (p->t->args[i]) {
                sbuf_puts(p->b, " && (");
                promela_expr(p, p->t->args[i]);
                sbuf_printf(p->b, ") == %lld", m->fields[i].lo + rest % range);
            }
            rest /= range;
        }
        sbuf_printf(p->b, ") -> pool%d[%lld]--;", port, base + c);
        rest = c;
        for (int i = 0; i < p->t->nargs; i++) {
            long long range = m->fields[i].hi - m->fields[i].lo + 1;
            if (p->t->into[i]) {
                sbuf_putc(p->b, ' ');
                promela_place(p, p->t->into[i]);
                sbuf_printf(p->b, " = %lld;", m->fields[i].lo + rest % range);
            }
            rest /= range;
        }
        option_end(p);
    }
}

static void receive_at(void *arg, int port)
{
    struct promela *p = arg;
    const struct port *o = &p->s->ports[port];
    if (p->s->scheme == SCHEME_ASYNC) {
        receive_from_pool(p, port);
        return;
    }
    for (int q = o->queue; q < o->queue + o->nqueues; q++) {
        option_start(p, port);
        sbuf_printf(p->b, " && q%d?[", q);
        pattern(p, port, 1);
        sbuf_printf(p->b, "]) -> q%d?", q);
        pattern(p, port, 0);
        sbuf_putc(p->b, ';');
        option_end(p);
    }
}

static void proctype(struct promela *p, int proc)
{
    const struct proc *q = &p->s->procs[proc];
    sbuf_printf(p->b, "\nactive proctype P%d() { /* %s */\n", proc, q->name);
    if (q->init)
        sbuf_printf(p->b, "    goto S%d;\n", q->init);
    for (int i = 0; i < q->nlocs; i++) {
        if (q->final[i])
            sbuf_printf(p->b, "end_S%d:\n", i);
        sbuf_printf(p->b, "S%d: /* %s */\n    if\n", i, q->locs[i]);
        size_t before = p->b->len;
        for (int k = q->first[i]; k < q->first[i] + q->count[i]; k++) {
            p->t = &p->s->trans[k];
            if (p->t->action == ACT_SEND) {
                sys_each_port(p->t, send_to, p);
            } else if (p->t->action == ACT_RECV) {
                sys_each_port(p->t, receive_at, p);
            } else {
                option_start(p, -1);
                sbuf_puts(p->b, ") ->  skip;");
                option_end(p);
            }
        }
        if (p->b->len == before)
            sbuf_puts(p->b, "    :: false\n");
        sbuf_puts(p->b, "    fi;\n");
    }
    sbuf_puts(p->b, "}\n");
}

static void channel_fields(struct promela *p, int port)
{
    const struct sys *s = p->s;
    for (int i = 0; i < port_fields(s, port); i++) {
        long long lo = 0, hi = 1;
        for (int k = 0; k < s->ports[port].ntypes; k++) {
            const struct msg_type *m = &s->msgs[s->ports[port].types[k]];
            if (i < m->nfields) {
                lo = m->fields[i].lo < lo ? m->fields[i].lo : lo;
                hi = m->fields[i].hi > hi ? m->fields[i].hi : hi;
            }
        }
        sbuf_printf(p->b, ", %s", promela_type(TYPE_INT, lo, hi));
    }
}

static void declare_ports(struct promela *p)
{
    const struct sys *s = p->s;
    for (int t = 0; t < s->nports && s->scheme == SCHEME_ASYNC; t++) {
        long long n = 0;
        for (int i = 0; i < s->ports[t].ntypes; i++)
            n += type_size(s, s->ports[t].types[i]);
        if (n > PROMELA_POOL_MAX)
            promela_fail(
                p,
                "a port has more than 256 different messages; a pool of them would be too large");
        sbuf_printf(p->b, "byte pool%d[%lld]; /* %s */\n", t, n, s->ports[t].name);
    }
    for (int q = 0; q < s->nqueues && s->scheme != SCHEME_ASYNC; q++) {
        int port = s->queues[q].port, from = s->queues[q].sender;
        sbuf_printf(p->b, "chan q%d = [%d] of {byte", q, s->capacity);
        channel_fields(p, port);
        sbuf_printf(p->b, "}; /* %s%s%s */\n", from >= 0 ? s->procs[from].name : "",
                    from >= 0 ? " to " : "", s->ports[port].name);
    }
}

char *promela_text(const struct sys *s, struct error *e)
{
    struct sbuf b = {0};
    struct promela p = {.s = s, .b = &b, .e = e};
    if (s->scheme == SCHEME_CAUSAL || s->scheme == SCHEME_INSTANT)
        promela_fail(&p, "only async, fifo and mailbox communication can be expressed");
    sbuf_printf(&b,
                "/* %s under %s communication, by raddle model --to-promela.\n"
                " * spin -o2 -a it, cc -DSAFETY -DNOREDUCE -DNOCLAIM pan.c, pan -q. */\n",
                s->src->file, sys_scheme_name(s->scheme));
    sbuf_puts(&b,
              "hidden int r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;\n");
    declare_ports(&p);
    for (int i = 0; i < s->nprocs; i++)
        promela_variables(&p, i);
    for (int i = 0; i < s->nprocs && !p.failed; i++)
        proctype(&p, i);
    for (int i = 0; i < s->ninvariants && !p.failed; i++) {
        sbuf_printf(&b, "\nltl inv%d { [] (", i);
        promela_expr(&p, s->invariants[i].expr);
        sbuf_printf(&b, ") } /* %s */\n", s->invariants[i].name);
    }
    char *text = p.failed ? NULL : mem_strdup(sbuf_str(&b));
    sbuf_free(&b);
    return text;
}
