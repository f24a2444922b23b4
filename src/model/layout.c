/* The layout of a state under a scheme, and what can be said about processes without running them:
 * which ports a local state can still send to (definition 10 of the dissertation), which queues
 * exist, which transitions an invariant can see (section 5.2.1), and, for causal communication,
 * whose knowledge of which queue can ever matter (see causal.c). */
#include "model/sys.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"async", "fifo", "causal", "mailbox", "instant"};

const char *sys_scheme_name(enum scheme scheme)
{
    return names[scheme];
}

int sys_scheme_parse(const char *name)
{
    for (int i = 0; i < 5; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

void sys_each_port(const struct trans *t, void (*f)(void *arg, int port), void *arg)
{
    long long lo[2] = {0, 0}, hi[2] = {0, 0}, stride[2] = {0, 0};
    for (int k = 0; k < t->nindex; k++) {
        const struct place_index *x = &t->port_index[k];
        lo[k] = x->index->lo < 0 ? 0 : x->index->lo;
        hi[k] = x->index->hi >= x->count ? x->count - 1 : x->index->hi;
        stride[k] = x->stride;
    }
    for (long long i = lo[0]; i <= hi[0]; i++)
        for (long long k = lo[1]; k <= hi[1]; k++)
            f(arg, t->port_base + (int)(i * stride[0] + k * stride[1]));
}

struct mark {
    uint64_t *set;
    int nmsgs, msg;
};

static void mark_channel(void *arg, int port)
{
    struct mark *m = arg;
    int k = port * m->nmsgs + m->msg;
    m->set[k >> 6] |= 1ull << (k & 63);
}

/* reachable(l, T): a fixed point over the transitions of the process, guards ignored. */
static void compute_reach(struct sys *s, struct proc *p, int proc)
{
    size_t words = (size_t)s->words;
    p->reach = mem_alloc((size_t)p->nlocs * words * sizeof *p->reach);
    for (int i = 0; i < s->ntrans; i++) {
        const struct trans *t = &s->trans[i];
        struct mark m = {p->reach + (size_t)t->from * words, s->nmsgs, t->msg};
        if (t->proc == proc && t->action == ACT_SEND)
            sys_each_port(t, mark_channel, &m);
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < s->ntrans; i++) {
            const struct trans *t = &s->trans[i];
            for (size_t w = 0; t->proc == proc && w < words; w++) {
                uint64_t *from = &p->reach[(size_t)t->from * words + w];
                uint64_t more = p->reach[(size_t)t->to * words + w] & ~*from;
                *from |= more;
                changed |= more != 0;
            }
        }
    }
}

static int can_send(const struct sys *s, int proc, int port)
{
    for (int m = 0; m < s->nmsgs; m++)
        if (sys_reachable(s, proc, s->procs[proc].init, port, m))
            return 1;
    return 0;
}

static void add_queue(struct sys *s, int port, int sender)
{
    s->queues = mem_realloc(s->queues, (size_t)(s->nqueues + 1) * sizeof *s->queues);
    s->queues[s->nqueues] = (struct model_queue){port, sender};
    s->ports[port].nqueues++;
    if (sender >= 0)
        s->queue_of[port * s->nprocs + sender] = s->nqueues;
    s->nqueues++;
}

static void make_queues(struct sys *s)
{
    free(s->queues);
    free(s->queue_of);
    s->queues = NULL;
    s->nqueues = 0;
    s->queue_of = mem_alloc((size_t)(s->nports * s->nprocs) * sizeof *s->queue_of);
    for (int i = 0; i < s->nports * s->nprocs; i++)
        s->queue_of[i] = -1;
    int per_sender = s->scheme == SCHEME_FIFO || s->scheme == SCHEME_CAUSAL;
    for (int t = 0; t < s->nports; t++) {
        s->ports[t].queue = s->nqueues;
        s->ports[t].nqueues = 0;
        if (s->scheme == SCHEME_INSTANT)
            continue;
        if (!per_sender)
            add_queue(s, t, -1);
        for (int j = 0; j < s->nprocs; j++)
            if (can_send(s, j, t)) {
                if (per_sender)
                    add_queue(s, t, j);
                else
                    s->queue_of[t * s->nprocs + j] = s->ports[t].queue;
            }
    }
}

/* flow[i * n + l]: something that i knows can come to be known by l. */
static uint8_t *compute_flow(const struct sys *s)
{
    int n = s->nprocs;
    uint8_t *flow = mem_alloc((size_t)(n * n));
    for (int i = 0; i < n; i++) {
        flow[i * n + i] = 1;
        for (int t = 0; t < s->nports; t++)
            if (can_send(s, i, t))
                flow[i * n + s->ports[t].owner] = 1;
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; flow[i * n + k] && j < n; j++)
                flow[i * n + j] |= flow[k * n + j];
    return flow;
}

/* Does it matter whether process i knows of the messages in queue q? Only if what i knows can come
 * to another sender to the same port, whose messages must then wait behind them. */
static int matters(const struct sys *s, const uint8_t *flow, int i, const struct model_queue *q)
{
    if (s->ports[q->port].nqueues < 2 || q->sender == i)
        return 0;
    for (int l = 0; l < s->nprocs; l++)
        if (l != q->sender && flow[i * s->nprocs + l] && s->queue_of[q->port * s->nprocs + l] >= 0)
            return 1;
    return 0;
}

static void track_knowledge(struct sys *s)
{
    uint8_t *flow = compute_flow(s);
    for (int i = 0; i < s->nprocs; i++) {
        struct proc *p = &s->procs[i];
        p->ntracked = 0;
        p->know_off = s->fixed;
        p->tracked = mem_realloc(p->tracked, (size_t)s->nqueues * sizeof *p->tracked);
        for (int q = 0; s->scheme == SCHEME_CAUSAL && q < s->nqueues; q++)
            if (matters(s, flow, i, &s->queues[q]))
                p->tracked[p->ntracked++] = q;
        s->fixed += p->ntracked;
    }
    free(flow);
}

/* A set of bytes of the state. */
static void mark_place(uint8_t *bytes, const struct model_place *p)
{
    int end = p->off + p->width;
    for (int i = 0; i < p->count; i++)
        end += (p->index[i].count - 1) * p->index[i].stride;
    memset(bytes + p->off, 1, (size_t)(end - p->off));
}

struct watch {
    uint8_t *bytes; /* variables that invariants read */
    uint8_t *locs;  /* [proc * 256 + state] that they ask for */
};

static void watch_expr(struct watch *w, const struct ir *x)
{
    if (!x)
        return;
    if (x->kind == IR_LOAD) {
        mark_place(w->bytes, x->place);
        for (int i = 0; i < x->place->count; i++)
            watch_expr(w, x->place->index[i].index);
    } else if (x->kind == IR_AT) {
        w->locs[x->proc * 256 + x->num] = 1;
    }
    watch_expr(w, x->x);
    watch_expr(w, x->y);
    watch_expr(w, x->z);
}

static void mark_writes(uint8_t *bytes, const is_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i]->kind == IS_ASSIGN)
            mark_place(bytes, l->items[i]->place);
        mark_writes(bytes, &l->items[i]->body);
        mark_writes(bytes, &l->items[i]->other);
    }
}

static void mark_visible(struct sys *s, int bytes)
{
    struct watch w = {mem_alloc((size_t)bytes + 1), mem_alloc((size_t)s->nprocs * 256)};
    uint8_t *written = mem_alloc((size_t)bytes + 1);
    for (int i = 0; i < s->ninvariants; i++)
        watch_expr(&w, s->invariants[i].expr);
    for (int i = 0; i < s->ntrans; i++) {
        struct trans *t = &s->trans[i];
        memset(written, 0, (size_t)bytes);
        mark_writes(written, &t->body);
        for (int k = 0; t->action == ACT_RECV && k < t->nargs; k++)
            if (t->into[k])
                mark_place(written, t->into[k]);
        const uint8_t *locs = w.locs + t->proc * 256;
        t->visible = t->from != t->to && (locs[t->from] || locs[t->to]);
        for (int k = 0; k < bytes; k++)
            t->visible |= written[k] && w.bytes[k];
    }
    free(w.bytes);
    free(w.locs);
    free(written);
}

int sys_layout(struct sys *s, enum scheme scheme, int capacity, struct error *e)
{
    s->scheme = scheme;
    s->capacity = capacity;
    s->fixed = s->procs[s->nprocs - 1].end_off;
    if (!s->words) {
        s->words = (s->nports * s->nmsgs + 64) / 64;
        for (int i = 0; i < s->nprocs; i++)
            compute_reach(s, &s->procs[i], i);
        mark_visible(s, s->fixed);
    }
    make_queues(s);
    track_knowledge(s);
    for (int i = 0; i < s->nports; i++) {
        struct port *p = &s->ports[i];
        p->slot = p->data;
        if (scheme == SCHEME_CAUSAL)
            p->slot += (p->nqueues > 1 ? p->nqueues : 0) + s->procs[p->owner].ntracked;
    }
    if (s->fixed + s->nqueues > SYS_STATE_MAX / 2)
        return error_set(e, EXIT_USAGE, "a state of this system needs more than %d bytes",
                         SYS_STATE_MAX / 2);
    return 0;
}

int sys_initial(const struct sys *s, uint8_t *state)
{
    memset(state, 0, (size_t)(s->fixed + s->nqueues));
    for (int i = 0; i < s->nprocs; i++) {
        const struct proc *p = &s->procs[i];
        state[p->loc_off] = (uint8_t)p->init;
        for (int k = 0; k < p->nvars; k++) {
            const struct scalar *v = &p->vars[k];
            long long x = v->init < v->lo ? v->lo : v->init > v->hi ? v->hi : v->init;
            sys_put(state + v->off, v->width, (uint32_t)(x - v->lo));
        }
    }
    return s->fixed + s->nqueues;
}
