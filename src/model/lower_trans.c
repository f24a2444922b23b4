/* Transitions and their computation blocks, for one instance: "each" is expanded, ports become
 * numbers, receive patterns become places and values to match. */
#include "model/lower.h"

#include <stdlib.h>
#include <string.h>

static void lower_block(struct lower *l, const st_list *from, is_list *into);

static struct is *assignment(struct lower *l, const struct st *t, struct is *s)
{
    s->place = lower_place(l, t->lhs);
    s->value = lower_expr(l, t->rhs);
    lower_fits(l, s->value, s->place->type, s->place->lo, s->place->hi, "the variable");
    return s;
}

static struct is *loop(struct lower *l, const struct st *t, struct is *s)
{
    s->value = lower_expr(l, t->lhs);
    s->to = lower_expr(l, t->rhs);
    if (s->value->type != TYPE_INT || s->to->type != TYPE_INT)
        lower_fail(l, t->line, t->col, "the bounds of a loop are numbers");
    if (l->regs == SYS_REGS)
        lower_fail(l, t->line, t->col, "loops are nested too deeply");
    s->reg = l->regs++;
    struct scope_entry entry = {.name = t->name,
                                .kind = SCOPE_REG,
                                .value = s->reg,
                                .type = TYPE_INT,
                                .lo = s->value->lo,
                                .hi = s->to->hi};
    if (entry.hi < entry.lo)
        entry.hi = entry.lo;
    vec_push(&l->scope, entry);
    lower_block(l, &t->body, &s->body);
    l->scope.count--;
    l->regs--;
    return s;
}

static struct is *lower_statement(struct lower *l, const struct st *t)
{
    static const enum is_kind kinds[] = {
        [ST_ASSIGN] = IS_ASSIGN, [ST_IF] = IS_IF, [ST_FOR] = IS_FOR, [ST_ASSERT] = IS_ASSERT};
    struct is *s = mem_alloc(sizeof *s);
    s->kind = kinds[t->kind];
    s->line = t->line;
    s->col = t->col;
    if (t->kind == ST_ASSIGN)
        return assignment(l, t, s);
    if (t->kind == ST_FOR)
        return loop(l, t, s);
    s->value = lower_bool(l, t->rhs, t->kind == ST_IF ? "the condition" : "the assertion");
    s->text = t->name;
    if (t->kind == ST_ASSERT)
        l->s->nasserts++;
    lower_block(l, &t->body, &s->body);
    lower_block(l, &t->other, &s->other);
    return s;
}

static void lower_block(struct lower *l, const st_list *from, is_list *into)
{
    for (size_t i = 0; i < from->count; i++)
        vec_push(into, lower_statement(l, from->items[i]));
}

/* Adds index·stride to the port of t; the index must be able to be within 0 … count-1. */
static void add_index(struct lower *l, struct trans *t, const struct ex *x, int stride, int count)
{
    struct ir *i = lower_expr(l, x);
    if (i->type != TYPE_INT)
        lower_fail(l, x->line, x->col, "an index is a number");
    if (i->lo >= count || i->hi < 0)
        lower_fail(l, x->line, x->col, "the index is outside of 0..%d", count - 1);
    if (ir_is_const(i)) {
        t->port_base += (int)i->num * stride;
        t->port_lo += (int)i->num * stride;
        t->port_hi += (int)i->num * stride;
        return;
    }
    t->port_index[t->nindex++] = (struct place_index){i, stride, count};
    t->port_lo += (int)(i->lo < 0 ? 0 : i->lo) * stride;
    t->port_hi += (int)(i->hi >= count ? count - 1 : i->hi) * stride;
}

static void choose_port(struct lower *l, const struct tr *r, struct trans *t, const struct group *g,
                        int k)
{
    const struct port_decl *d = &g->decl->ports.items[k];
    int place = r->message_line;
    t->port_base = t->port_lo = t->port_hi = g->port_base[k];
    if (r->action == ACT_RECV)
        t->port_base = t->port_lo = t->port_hi =
            g->port_base[k] + l->s->procs[l->proc].index * g->port_len[k];
    else if (r->process_index)
        add_index(l, t, r->process_index, g->port_len[k], g->count);
    else if (g->is_array)
        lower_fail(l, place, r->message_col, "%s is an array: which one of it?", g->name);
    if (r->process_index && !g->is_array)
        lower_fail(l, place, r->message_col, "%s is one process, not an array", g->name);
    if ((r->port_index != NULL) != (d->length != NULL))
        lower_fail(l, place, r->message_col,
                   d->length ? "%s is an array of ports: which one?"
                             : "%s is one port, not an array",
                   d->name);
    if (r->port_index)
        add_index(l, t, r->port_index, 1, g->port_len[k]);
}

static void find_port(struct lower *l, const struct tr *r, struct trans *t)
{
    const struct group *g = NULL;
    if (r->action == ACT_RECV)
        g = &l->s->groups[l->s->procs[l->proc].group];
    for (int i = 0; i < l->s->ngroups && !g; i++)
        if (!strcmp(l->s->groups[i].name, r->process))
            g = &l->s->groups[i];
    if (!g)
        lower_fail(l, r->message_line, r->message_col, "there is no process '%s' to send to",
                   r->process);
    for (size_t k = 0; k < g->decl->ports.count; k++)
        if (!strcmp(g->decl->ports.items[k].name, r->port)) {
            choose_port(l, r, t, g, (int)k);
            return;
        }
    lower_fail(l, r->message_line, r->message_col, "%s has no port '%s'", g->decl->name, r->port);
}

static void find_message(struct lower *l, const struct tr *r, struct trans *t)
{
    const struct port *p = &l->s->ports[t->port_lo];
    t->msg = -1;
    for (int i = 0; i < l->s->nmsgs; i++)
        if (!strcmp(l->s->msgs[i].name, r->message))
            t->msg = i;
    if (t->msg < 0)
        lower_fail(l, r->message_line, r->message_col, "unknown message '%s'", r->message);
    int taken = 0;
    for (int i = 0; i < p->ntypes; i++)
        taken |= p->types[i] == t->msg;
    if (!taken)
        lower_fail(l, r->message_line, r->message_col, "the port '%s' does not take '%s'", r->port,
                   r->message);
    t->nargs = l->s->msgs[t->msg].nfields;
    if ((int)r->args.count != t->nargs)
        lower_fail(l, r->message_line, r->message_col, "'%s' has %d field%s, not %d", r->message,
                   t->nargs, t->nargs == 1 ? "" : "s", (int)r->args.count);
}

static void pattern(struct lower *l, const struct ex *x, const struct msg_field *f, struct trans *t,
                    int i)
{
    if (x->kind == EX_ANY)
        return;
    if (x->kind == EX_MATCH) {
        t->args[i] = lower_expr(l, x->x);
        lower_fits(l, t->args[i], f->type, f->lo, f->hi, "this field");
        return;
    }
    struct model_place *p = t->into[i] = lower_place(l, x);
    if (p->type != f->type)
        lower_fail(l, x->line, x->col, "the field '%s' is %s, this variable is %s", f->name,
                   lower_type_name(l, f->type), lower_type_name(l, p->type));
}

static void arguments(struct lower *l, const struct tr *r, struct trans *t)
{
    const struct msg_type *m = &l->s->msgs[t->msg];
    for (int i = 0; i < t->nargs; i++) {
        const struct ex *x = r->args.items[i];
        const struct msg_field *f = &m->fields[i];
        if (r->action == ACT_SEND) {
            t->args[i] = lower_expr(l, x);
            lower_fits(l, t->args[i], f->type, f->lo, f->hi, "this field");
        } else {
            pattern(l, x, f, t, i);
        }
    }
}

static int find_state(struct lower *l, const struct tr *r, int from)
{
    const struct proc *p = &l->s->procs[l->proc];
    if (!r->target)
        return from;
    for (int i = 0; i < p->nlocs; i++)
        if (!strcmp(p->locs[i], r->target))
            return i;
    lower_fail(l, r->target_line, r->target_col, "unknown state '%s'", r->target);
}

static void one_transition(struct lower *l, const struct tr *r, int from, trans_list *into)
{
    struct trans t = {.proc = l->proc,
                      .from = from,
                      .to = find_state(l, r, from),
                      .action = r->action,
                      .line = r->line,
                      .text = r->text};
    if (r->guard) {
        t.guard = lower_bool(l, r->guard, "the guard");
        if (ir_is_const(t.guard) && !t.guard->num)
            return; /* can never happen in this instance; its indices may be outside */
        if (ir_is_const(t.guard))
            t.guard = NULL;
    }
    if (r->action != ACT_NONE) {
        find_port(l, r, &t);
        find_message(l, r, &t);
        arguments(l, r, &t);
    }
    lower_block(l, &r->body, &t.body);
    vec_push(into, t);
}

/* The transitions of r: one, or one per value of "each". */
static void transitions(struct lower *l, const struct tr *r, int from, trans_list *into)
{
    if (!r->each) {
        one_transition(l, r, from, into);
        return;
    }
    long long lo = lower_const(l, r->each_lo, "a bound"),
              hi = lower_const(l, r->each_hi, "a bound");
    if (hi - lo > 1000)
        lower_fail(l, r->line, r->col, "'each' over more than 1000 values");
    for (long long v = lo; v <= hi; v++) {
        struct scope_entry entry = {.name = r->each, .value = v, .type = TYPE_INT};
        vec_push(&l->scope, entry);
        one_transition(l, r, from, into);
        l->scope.count--;
    }
}

void lower_process(struct lower *l, int proc, trans_list *into)
{
    struct proc *p = &l->s->procs[proc];
    const struct process_decl *d = l->s->groups[p->group].decl;
    size_t mark = l->scope.count;
    lower_enter(l, proc);
    for (int i = 0; i < p->nlocs; i++) {
        const struct state_decl *st = &d->states.items[i];
        p->first[i] = (int)into->count;
        for (size_t k = 0; k < st->trans.count; k++)
            transitions(l, st->trans.items[k], i, into);
        p->count[i] = (int)into->count - p->first[i];
    }
    l->scope.count = mark;
}
