/* Partial-order reduction by persistent sets (section 2.2.3), for comparison with BSRA: if all that
 * a process can do now, or could come to do before it moves, is independent of everybody else, its
 * enabled transitions suffice. A process qualifies when no message still to come could open another
 * choice for it (no potential HET) and, under mailbox, when nobody else can send to the ports it
 * sends to. With invariants its transitions must also be invisible. The caller expands fully when
 * every successor was known already, so that nothing is put off forever. */
#include "model/expand.h"

static int others_send_to(const struct sys *s, const struct gstate *g, int proc, int port)
{
    for (int j = 0; j < s->nprocs; j++)
        for (int m = 0; j != proc && m < s->nmsgs; m++)
            if (sys_reachable(s, j, g->b[s->procs[j].loc_off], port, m))
                return 1;
    return 0;
}

static int independent(struct run *r, const struct gstate *g, struct model_step st)
{
    const struct trans *t = &r->s->trans[st.trans];
    if (t->visible)
        return 0;
    if (t->action == ACT_SEND && r->s->scheme == SCHEME_MAILBOX) {
        int port = eval_port(r, t, g->b);
        return port >= 0 && !others_send_to(r->s, g, t->proc, port);
    }
    return 1;
}

/* The steps from `first` on are all of one process: may they stand for all? */
static int persistent(struct run *r, const struct gstate *g, int proc, const step_list *l,
                      size_t first)
{
    if (l->count == first || step_potential_het(r, g, proc))
        return 0;
    for (size_t i = first; i < l->count; i++)
        if (!independent(r, g, l->items[i]))
            return 0;
    return 1;
}

void por_expand(struct expander *x, const struct gstate *g)
{
    const struct sys *s = x->run.s;
    size_t best = 0, best_count = 0;
    int open;
    expand_reset(x);
    x->tmp.count = 0;
    for (int i = 0; i < s->nprocs; i++) {
        size_t first = x->tmp.count;
        step_enabled(&x->run, g, i, &x->tmp, &open);
        size_t n = x->tmp.count - first;
        if (persistent(&x->run, g, i, &x->tmp, first) && (best_count == 0 || n < best_count)) {
            best = first;
            best_count = n;
        }
    }
    if (x->run.fault.kind)
        expand_fault(x, NULL, 0);
    if (best_count == 0)
        best_count = x->tmp.count;
    x->reduced = best_count < x->tmp.count;
    for (size_t i = best; i < best + best_count; i++)
        expand_step(x, g, x->tmp.items[i]);
}
