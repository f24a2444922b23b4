/* All states of a program, one after another, without any engine: whole states of the machine are compared,
 * so loops that come back to one end. */
#include "machine.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct sim_reached *out;
    VEC(struct sim_state *) todo;
    long limit;
    int value[16], of[16], choices, used; /* what is chosen in the step under way */
};

static void mix(struct sim_trace_id *h, uint64_t x)
{
    h->a = (h->a ^ x) * 0x9e3779b97f4a7c15ull;
    h->a ^= h->a >> 29;
    h->b = (h->b + x) * 0xc2b2ae3d27d4eb4full;
    h->b ^= h->b >> 31;
}

int sim_own(const struct sim_state *s, int t, uint64_t *words)
{
    const struct sim_thread *th = &s->t[t];
    int n = 0;
    words[n++] = (uint64_t)th->program << 32 | th->pc;
    words[n++] = (uint64_t)th->state << 32 | (uint64_t)th->phase << 16 | th->timed;
    for (int k = 0; k < SIM_REGS; k++)
        words[n++] = (uint32_t)th->r[k];
    return n;
}

struct sim_trace_id sim_own_id(const struct sim_state *s, int t)
{
    struct sim_trace_id h = {7, (uint64_t)t};
    uint64_t words[SIM_OWN];
    for (int n = sim_own(s, t, words), i = 0; i < n; i++)
        mix(&h, words[i]);
    return h;
}

static struct sim_trace_id whole(const struct sim_state *s)
{
    struct sim_trace_id h = {8, 9};
    for (int t = 0; t < s->threads; t++) {
        struct sim_trace_id own = sim_own_id(s, t);
        mix(&h, sim_live(s, t) ? own.a ^ own.b : 1); /* where it has ended does not matter */
        mix(&h, sim_live(s, t) ? s->t[t].signalled : 0);
    }
    for (int at = 0; at < SIM_MEMORY; at += 8)
        mix(&h, (uint64_t)sim_load(s, at, 8));
    for (int o = 0; o < SIM_OBJECTS; o++)
        mix(&h, (uint64_t)(uint16_t)s->count[o] << 16 | (uint16_t)s->owner[o]);
    return h;
}

struct sim_trace_id sim_stuck_id(const struct sim_state *s)
{
    struct sim_trace_id h = {10, 11};
    for (int t = 0; t < s->threads; t++) {
        struct event next;
        if (!sim_live(s, t))
            continue;
        sim_pending(s, t, &next);
        mix(&h, (uint64_t)t << 8 | next.kind);
        mix(&h, next.object);
    }
    return h;
}

static void visit(struct search *x, const struct sim_state *s)
{
    bool live = false, goes_on = false;
    if (x->out->states.used > (size_t)x->limit || !sim_set_add(&x->out->states, whole(s)))
        return;
    for (int t = 0; t < s->threads; t++) {
        live |= sim_live(s, t);
        goes_on |= sim_enabled(s, t);
        if (sim_live(s, t) && sim_joined(s, t) < 0)
            sim_set_add(&x->out->locals, sim_own_id(s, t));
    }
    if (!goes_on) {
        x->out->finals++;
        if (live)
            sim_set_add(&x->out->stuck, sim_stuck_id(s));
        return;
    }
    struct sim_state *kept = mem_alloc(sizeof *kept);
    *kept = *s;
    vec_push(&x->todo, kept);
}

static int ask(void *ctx, const struct event *op, int n)
{
    struct search *x = ctx;
    if (x->used == x->choices) {
        x->value[x->choices] = 0;
        x->of[x->choices++] = n;
    }
    return x->value[x->used++];
}

static void no_event(void *ctx, const struct event *ev)
{
}

/* The thread's step (-1: the beginning), with all that can be chosen in it. */
static void step(struct search *x, const struct sim_state *from, int t)
{
    static struct sim_state s;
    struct sim_log log = {no_event, NULL};
    struct sim_branches b = {.ask = ask, .ctx = x};
    x->choices = 0;
    do {
        s = *from;
        x->used = 0;
        if (t < 0)
            sim_start(&s, from->p, &log, &b);
        else
            sim_step(&s, t, &log, &b);
        visit(x, &s);
        while (x->choices && ++x->value[x->choices - 1] == x->of[x->choices - 1])
            x->choices--;
    } while (x->choices);
}

bool sim_reach(const struct sim_program *p, long limit, struct sim_reached *out)
{
    struct search x = {.out = out, .limit = limit};
    struct sim_state *first = mem_alloc(sizeof *first);
    memset(first, 0, sizeof *first);
    memset(out, 0, sizeof *out);
    first->p = p;
    step(&x, first, -1);
    free(first);
    while (x.todo.count) {
        struct sim_state *s = x.todo.items[--x.todo.count];
        for (int t = 0; t < s->threads; t++)
            if (sim_enabled(s, t))
                step(&x, s, t);
        free(s);
    }
    vec_free(&x.todo);
    return out->states.used <= (size_t)limit;
}

void sim_reached_free(struct sim_reached *r)
{
    sim_set_free(&r->states);
    sim_set_free(&r->locals);
    sim_set_free(&r->stuck);
}
