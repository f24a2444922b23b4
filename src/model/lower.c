/* From the syntax tree to the flat system: declarations, then instances with their variables and
 * ports, then transitions, then invariants with the transitions that are visible to them. */
#include "model/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lower_fail(struct lower *l, int line, int col, const char *fmt, ...)
{
    char message[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    model_source_error(l->src, line, col, l->e, "%s", message);
    longjmp(l->fail, 1);
}

static struct process_decl *find_process(struct lower *l, const char *name)
{
    for (size_t i = 0; i < l->a->processes.count; i++)
        if (!strcmp(l->a->processes.items[i]->name, name))
            return l->a->processes.items[i];
    return NULL;
}

static int instance_count(struct lower *l, const struct ex *count)
{
    if (!count)
        return 1;
    long long n = lower_const(l, count, "the number of instances");
    if (n < 0 || n > SYS_PROCS_MAX || l->s->nprocs + n > SYS_PROCS_MAX)
        lower_fail(l, count->line, count->col, "a system has at most %d processes, this adds %lld",
                   SYS_PROCS_MAX, n);
    return (int)n;
}

static void states(struct lower *l, struct proc *p, const struct process_decl *d)
{
    p->nlocs = (int)d->states.count;
    if (p->nlocs == 0 || p->nlocs > 255)
        lower_fail(l, d->line, d->col, "a process has 1 to 255 states, this one %d", p->nlocs);
    p->locs = mem_alloc((size_t)p->nlocs * sizeof *p->locs);
    p->final = mem_alloc((size_t)p->nlocs);
    p->first = mem_alloc((size_t)p->nlocs * sizeof *p->first);
    p->count = mem_alloc((size_t)p->nlocs * sizeof *p->count);
    int initials = 0;
    for (int i = 0; i < p->nlocs; i++) {
        const struct state_decl *s = &d->states.items[i];
        for (int k = 0; k < i; k++)
            if (!strcmp(p->locs[k], s->name))
                lower_fail(l, s->line, s->col, "the state '%s' is declared twice", s->name);
        p->locs[i] = s->name;
        p->final[i] = (uint8_t)s->final;
        if (s->initial) {
            p->init = i;
            if (++initials > 1)
                lower_fail(l, s->line, s->col, "there is another initial state already");
        }
    }
}

static void push_const(struct var_layout *v, const char *name, long long value, int type)
{
    struct scope_entry entry = {.name = name, .value = value, .type = type};
    vec_push(&v->consts, entry);
}

/* self, the arguments, and the process's own constants. */
static void instance_consts(struct lower *l, int proc, const struct process_decl *d,
                            const ex_list *args)
{
    struct var_layout *v = &l->vars[proc];
    size_t mark = l->scope.count;
    push_const(v, "self", l->s->procs[proc].index, TYPE_INT);
    vec_push(&l->scope, v->consts.items[0]);
    for (size_t i = 0; args && i < args->count; i++) {
        struct ir *x = lower_expr(l, args->items[i]);
        if (!ir_is_const(x))
            lower_fail(l, x->line, x->col, "an argument of an instance must be a constant");
        push_const(v, d->params.items[i].name, x->num, x->type);
    }
    l->scope.count = mark;
    for (size_t i = 0; i < v->consts.count; i++)
        vec_push(&l->scope, v->consts.items[i]);
    for (size_t i = 0; i < d->consts.count; i++) {
        struct ir *x = lower_expr(l, d->consts.items[i].init);
        if (!ir_is_const(x))
            lower_fail(l, x->line, x->col, "this is not a constant");
        push_const(v, d->consts.items[i].name, x->num, x->type);
        vec_push(&l->scope, v->consts.items[v->consts.count - 1]);
    }
    l->scope.count = mark;
}

static void add_group(struct lower *l, char *name, struct process_decl *d, const struct ex *count,
                      const ex_list *args)
{
    struct sys *s = l->s;
    struct group *g = &s->groups[s->ngroups];
    *g = (struct group){.name = name, .decl = d, .first = s->nprocs, .is_array = count != NULL};
    g->count = instance_count(l, count);
    for (int i = 0; i < g->count; i++) {
        if (s->nprocs == SYS_PROCS_MAX)
            lower_fail(l, d->line, d->col, "a system has at most %d processes", SYS_PROCS_MAX);
        struct proc *p = &s->procs[s->nprocs];
        *p = (struct proc){.group = s->ngroups, .index = i};
        p->name = count ? mem_printf("%s[%d]", name, i) : mem_strdup(name);
        states(l, p, d);
        instance_consts(l, s->nprocs, d, args);
        s->nprocs++;
    }
    s->ngroups++;
}

static void make_instances(struct lower *l)
{
    for (size_t i = 0; i < l->a->processes.count; i++) {
        struct process_decl *d = l->a->processes.items[i];
        if (find_process(l, d->name) != d)
            lower_fail(l, d->line, d->col, "the process '%s' is declared twice", d->name);
        if (!d->is_template)
            add_group(l, d->name, d, d->count, NULL);
    }
    for (size_t i = 0; i < l->a->decls.count; i++) {
        const struct decl *d = &l->a->decls.items[i];
        if (d->kind != DECL_INSTANCE)
            continue;
        struct process_decl *p = find_process(l, d->process);
        if (!p || !p->is_template)
            lower_fail(l, d->line, d->col, "there is no process '%s' with parameters", d->process);
        if (p->params.count != d->values.count)
            lower_fail(l, d->line, d->col, "'%s' takes %zu arguments, not %zu", p->name,
                       p->params.count, d->values.count);
        add_group(l, d->name, p, d->value, &d->values);
    }
    if (l->s->nprocs == 0)
        lower_fail(l, 1, 1, "the model has no process");
}

static void place_variables(struct lower *l)
{
    int off = 0;
    for (int i = 0; i < l->s->nprocs; i++) {
        struct proc *p = &l->s->procs[i];
        size_t mark = l->scope.count;
        p->loc_off = off;
        lower_enter(l, i);
        off = p->end_off = lower_vars(l, i, l->s->groups[p->group].decl, off + 1);
        l->scope.count = mark;
    }
    l->s->fixed = off;
}

static void port_types(struct lower *l, struct port *p, const struct port_decl *d)
{
    p->types = mem_alloc(d->types.count * sizeof *p->types);
    for (size_t i = 0; i < d->types.count; i++) {
        int found = -1;
        for (int k = 0; k < l->s->nmsgs; k++)
            if (!strcmp(l->s->msgs[k].name, d->types.items[i].name))
                found = k;
        if (found < 0)
            lower_fail(l, d->types.items[i].line, d->types.items[i].col, "unknown message '%s'",
                       d->types.items[i].name);
        p->types[p->ntypes++] = found;
        if (l->s->msgs[found].size > p->data)
            p->data = l->s->msgs[found].size;
    }
    p->data += p->ntypes > 1;
}

static int port_length(struct lower *l, int proc, const struct port_decl *d)
{
    if (!d->length)
        return 1;
    size_t mark = l->scope.count;
    lower_enter(l, proc);
    long long n = lower_const(l, d->length, "the number of ports");
    l->scope.count = mark;
    if (n < 1 || n > 256)
        lower_fail(l, d->line, d->col, "an array has 1 to 256 ports, not %lld", n);
    return (int)n;
}

static void ports_of_group(struct lower *l, struct group *g)
{
    struct sys *s = l->s;
    size_t n = g->decl->ports.count;
    g->port_base = mem_alloc(n * sizeof *g->port_base);
    g->port_len = mem_alloc(n * sizeof *g->port_len);
    for (size_t k = 0; k < n && g->count; k++) {
        const struct port_decl *d = &g->decl->ports.items[k];
        int length = port_length(l, g->first, d);
        g->port_base[k] = s->nports;
        g->port_len[k] = length;
        if (s->nports + length * g->count > SYS_PORTS_MAX)
            lower_fail(l, d->line, d->col, "a system has at most %d ports", SYS_PORTS_MAX);
        for (int i = 0; i < g->count * length; i++) {
            struct port *p = &s->ports[s->nports++];
            *p = (struct port){.owner = g->first + i / length};
            const char *owner = s->procs[p->owner].name;
            p->name = d->length ? mem_printf("%s.%s[%d]", owner, d->name, i % length)
                                : mem_printf("%s.%s", owner, d->name);
            port_types(l, p, d);
        }
    }
}

static void lower_transitions(struct lower *l)
{
    trans_list all = {0};
    for (int i = 0; i < l->s->nprocs; i++)
        lower_process(l, i, &all);
    if (all.count > 32000)
        lower_fail(l, 1, 1, "the system has %zu transitions; 32,000 are possible", all.count);
    l->s->trans = all.items;
    l->s->ntrans = (int)all.count;
}

static void lower_invariants(struct lower *l)
{
    struct sys *s = l->s;
    l->proc = -1;
    for (size_t i = 0; i < l->a->decls.count; i++) {
        const struct decl *d = &l->a->decls.items[i];
        if (d->kind != DECL_INVARIANT)
            continue;
        s->invariants =
            mem_realloc(s->invariants, (size_t)(s->ninvariants + 1) * sizeof *s->invariants);
        struct invariant *v = &s->invariants[s->ninvariants++];
        *v = (struct invariant){d->name ? d->name : mem_printf("invariant %d", s->ninvariants),
                                d->text, d->line, lower_bool(l, d->value, "an invariant")};
    }
}

int sys_load(struct sys *s, const struct ast *a, const char *const *defs, size_t ndefs,
             struct error *e)
{
    struct lower *l = mem_alloc(sizeof *l);
    *s = (struct sys){.src = a->src};
    *l = (struct lower){.s = s, .a = a, .src = a->src, .e = e, .proc = -1};
    s->procs = mem_alloc(SYS_PROCS_MAX * sizeof *s->procs);
    s->ports = mem_alloc(SYS_PORTS_MAX * sizeof *s->ports);
    s->groups = mem_alloc((a->processes.count + a->decls.count + 1) * sizeof *s->groups);
    l->vars = mem_alloc(SYS_PROCS_MAX * sizeof *l->vars);
    int failed = setjmp(l->fail);
    if (!failed) {
        lower_globals(l, defs, ndefs);
        make_instances(l);
        place_variables(l);
        for (int i = 0; i < s->ngroups; i++)
            ports_of_group(l, &s->groups[i]);
        lower_transitions(l);
        lower_invariants(l);
    }
    vec_free(&l->scope);
    free(l->vars);
    free(l);
    return failed ? -1 : 0;
}
