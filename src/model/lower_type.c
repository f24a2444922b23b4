/* Global declarations, types, and the places of variables. */
#include "model/lower.h"

#include "base/sbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 1024 };

static int width_for(long long lo, long long hi)
{
    return hi - lo < 256 ? 1 : hi - lo < 65536 ? 2 : 4;
}

static struct rtype *scalar(int type, long long lo, long long hi)
{
    struct rtype *t = mem_alloc(sizeof *t);
    t->type = type;
    t->lo = lo;
    t->hi = hi;
    t->size = t->width = width_for(lo, hi);
    return t;
}

static struct rtype *array_type(struct lower *l, const struct ty *y)
{
    struct rtype *t = mem_alloc(sizeof *t);
    long long n = lower_const(l, y->lo, "the length of an array");
    if (n < 1 || n > ELEMENTS_MAX)
        lower_fail(l, y->line, y->col, "an array has 1 to %d elements, not %lld", ELEMENTS_MAX, n);
    t->kind = RT_ARRAY;
    t->count = (int)n;
    t->elem = lower_type(l, y->elem);
    t->size = t->count * t->elem->size;
    if (t->size > SYS_STATE_MAX / 2)
        lower_fail(l, y->line, y->col, "this array is too large for a state");
    return t;
}

static struct rtype *named_type(struct lower *l, const struct ty *y)
{
    for (int i = 0; i < l->s->nenums; i++)
        if (!strcmp(l->s->enums[i].name, y->name))
            return scalar(i, 0, l->s->enums[i].count - 1);
    for (size_t i = 0; i < l->record_names.count; i++)
        if (!strcmp(l->record_names.items[i], y->name))
            return l->records.items[i];
    lower_fail(l, y->line, y->col, "unknown type '%s'", y->name);
}

struct rtype *lower_type(struct lower *l, const struct ty *y)
{
    if (y->kind == TY_BOOL)
        return scalar(TYPE_BOOL, 0, 1);
    if (y->kind == TY_NAMED)
        return named_type(l, y);
    if (y->kind == TY_ARRAY)
        return array_type(l, y);
    long long lo = lower_const(l, y->lo, "a bound"), hi = lower_const(l, y->hi, "a bound");
    if (lo > hi)
        lower_fail(l, y->line, y->col, "the range %lld..%lld is empty", lo, hi);
    if (lo < -2147483647 || hi - lo > 4294967294LL)
        lower_fail(l, y->line, y->col, "the range %lld..%lld is too large", lo, hi);
    return scalar(TYPE_INT, lo, hi);
}

static void record(struct lower *l, const struct decl *d)
{
    struct rtype *t = mem_alloc(sizeof *t);
    t->kind = RT_RECORD;
    t->nfields = (int)d->fields.count;
    t->names = mem_alloc(d->fields.count * sizeof *t->names);
    t->fields = mem_alloc(d->fields.count * sizeof *t->fields);
    t->offs = mem_alloc(d->fields.count * sizeof *t->offs);
    for (int i = 0; i < t->nfields; i++) {
        t->names[i] = d->fields.items[i].name;
        t->fields[i] = lower_type(l, d->fields.items[i].type);
        t->offs[i] = t->size;
        t->size += t->fields[i]->size;
    }
    vec_push(&l->records, t);
    vec_push(&l->record_names, d->name);
}

static void fresh(struct lower *l, const char *name, int line, int col)
{
    if (lower_find(l, name))
        lower_fail(l, line, col, "'%s' is declared twice", name);
}

static void enumeration(struct lower *l, const struct decl *d)
{
    struct sys *s = l->s;
    s->enums = mem_realloc(s->enums, (size_t)(s->nenums + 1) * sizeof *s->enums);
    struct enum_type *t = &s->enums[s->nenums];
    *t = (struct enum_type){.name = d->name, .count = (int)d->fields.count};
    t->values = mem_alloc(d->fields.count * sizeof *t->values);
    for (int i = 0; i < t->count; i++) {
        const struct field *f = &d->fields.items[i];
        fresh(l, f->name, f->line, f->col);
        t->values[i] = f->name;
        struct scope_entry entry = {.name = f->name, .value = i, .type = s->nenums};
        vec_push(&l->scope, entry);
    }
    s->nenums++;
}

static void message(struct lower *l, const struct decl *d)
{
    struct sys *s = l->s;
    for (int i = 0; i < s->nmsgs; i++)
        if (!strcmp(s->msgs[i].name, d->name))
            lower_fail(l, d->line, d->col, "the message '%s' is declared twice", d->name);
    s->msgs = mem_realloc(s->msgs, (size_t)(s->nmsgs + 1) * sizeof *s->msgs);
    struct msg_type *m = &s->msgs[s->nmsgs++];
    *m = (struct msg_type){.name = d->name};
    for (size_t i = 0; i < d->fields.count; i++) {
        const struct field *f = &d->fields.items[i];
        if (i == SYS_FIELDS_MAX)
            lower_fail(l, f->line, f->col, "a message has at most %d fields", SYS_FIELDS_MAX);
        struct rtype *t = lower_type(l, f->type);
        if (t->kind != RT_SCALAR)
            lower_fail(l, f->line, f->col, "a message carries numbers, bools and enum values");
        m->fields[m->nfields++] =
            (struct msg_field){f->name, t->type, t->width, m->size, t->lo, t->hi};
        m->size += t->width;
    }
}

/* The value given by -D for a parameter, or the one in the model. */
static long long param_value(struct lower *l, const struct decl *d, const char *const *defs,
                             size_t ndefs)
{
    long long value = lower_const(l, d->value, "a parameter");
    size_t n = strlen(d->name);
    for (size_t i = 0; i < ndefs; i++)
        if (!strncmp(defs[i], d->name, n) && defs[i][n] == '=') {
            char *end;
            errno = 0;
            value = strtoll(defs[i] + n + 1, &end, 0);
            if (*end || end == defs[i] + n + 1 || errno || llabs(value) > 2147483647) {
                error_set(l->e, EXIT_USAGE, "-D %s: not a number", defs[i]);
                longjmp(l->fail, 1);
            }
        }
    return value;
}

static void constant(struct lower *l, const struct decl *d, const char *const *defs, size_t ndefs)
{
    struct scope_entry entry = {.name = d->name, .type = TYPE_INT};
    fresh(l, d->name, d->line, d->col);
    if (d->kind == DECL_PARAM && d->is_list)
        lower_fail(l, d->line, d->col, "a parameter is one number");
    if (d->kind == DECL_PARAM) {
        entry.value = param_value(l, d, defs, ndefs);
    } else if (d->is_list) {
        entry.kind = SCOPE_LIST;
        entry.count = (int)d->values.count;
        entry.values = mem_alloc(d->values.count * sizeof *entry.values);
        for (int i = 0; i < entry.count; i++)
            entry.values[i] = lower_const(l, d->values.items[i], "an element");
    } else {
        struct ir *v = lower_expr(l, d->value);
        if (!ir_is_const(v))
            lower_fail(l, d->line, d->col, "this is not a constant");
        entry.value = v->num;
        entry.type = v->type;
    }
    vec_push(&l->scope, entry);
}

static void check_defs(struct lower *l, const char *const *defs, size_t ndefs)
{
    for (size_t i = 0; i < ndefs; i++) {
        int known = 0;
        for (size_t k = 0; k < l->a->decls.count; k++) {
            const struct decl *d = &l->a->decls.items[k];
            size_t n = d->name ? strlen(d->name) : 0;
            known |= d->kind == DECL_PARAM && !strncmp(defs[i], d->name, n) && defs[i][n] == '=';
        }
        if (!known) {
            struct sbuf b = {0};
            for (size_t k = 0; k < l->a->decls.count; k++)
                if (l->a->decls.items[k].kind == DECL_PARAM)
                    sbuf_printf(&b, " %s", l->a->decls.items[k].name);
            error_set(l->e, EXIT_USAGE, "-D %s: the model has no such parameter", defs[i]);
            error_todo(l->e, "write -D NAME=NUMBER; its parameters are:%s",
                       b.len ? sbuf_str(&b) : " none");
            sbuf_free(&b);
            longjmp(l->fail, 1);
        }
    }
}

void lower_globals(struct lower *l, const char *const *defs, size_t ndefs)
{
    check_defs(l, defs, ndefs);
    for (size_t i = 0; i < l->a->decls.count; i++) {
        const struct decl *d = &l->a->decls.items[i];
        if (d->kind == DECL_PARAM || d->kind == DECL_CONST)
            constant(l, d, defs, ndefs);
        else if (d->kind == DECL_ENUM)
            enumeration(l, d);
        else if (d->kind == DECL_RECORD)
            record(l, d);
        else if (d->kind == DECL_MESSAGE)
            message(l, d);
    }
}

/* Names every scalar within a variable: x, a[3], r.f. */
static void list_scalars(struct proc *p, const struct rtype *t, const char *name, int off,
                         long long init)
{
    if (t->kind == RT_SCALAR) {
        p->vars = mem_realloc(p->vars, (size_t)(p->nvars + 1) * sizeof *p->vars);
        p->vars[p->nvars++] =
            (struct scalar){mem_strdup(name), off, t->width, t->type, t->lo, t->hi, init};
        return;
    }
    int n = t->kind == RT_ARRAY ? t->count : t->nfields;
    for (int i = 0; i < n; i++) {
        char *part = t->kind == RT_ARRAY ? mem_printf("%s[%d]", name, i)
                                         : mem_printf("%s.%s", name, t->names[i]);
        if (t->kind == RT_ARRAY)
            list_scalars(p, t->elem, part, off + i * t->elem->size, init);
        else
            list_scalars(p, t->fields[i], part, off + t->offs[i], init);
        free(part);
    }
}

/* The initial value goes to every element; without one: 0, or what is nearest to it. */
static void check_init(struct lower *l, const struct field *f, const struct rtype *t,
                       const struct ir *v)
{
    if (t->kind == RT_ARRAY)
        check_init(l, f, t->elem, v);
    else if (t->kind == RT_SCALAR)
        lower_fits(l, v, t->type, t->lo, t->hi, "the variable");
    else
        lower_fail(l, f->line, f->col, "a record has no initial value; it starts with zeros");
}

static long long initial_value(struct lower *l, const struct field *f, const struct rtype *t)
{
    if (f->init) {
        struct ir *v = lower_expr(l, f->init);
        if (!ir_is_const(v))
            lower_fail(l, f->init->line, f->init->col, "the initial value must be a constant");
        check_init(l, f, t, v);
        return v->num;
    }
    return 0;
}

int lower_vars(struct lower *l, int proc, const struct process_decl *d, int off)
{
    struct var_layout *v = &l->vars[proc];
    v->entries = mem_alloc(d->vars.count * sizeof *v->entries);
    for (size_t i = 0; i < d->vars.count; i++) {
        const struct field *f = &d->vars.items[i];
        for (int k = 0; k < v->count; k++)
            if (!strcmp(v->entries[k].name, f->name))
                lower_fail(l, f->line, f->col, "the variable '%s' is declared twice", f->name);
        struct rtype *t = lower_type(l, f->type);
        long long init = initial_value(l, f, t);
        v->entries[v->count++] = (struct scope_entry){
            .name = f->name, .kind = SCOPE_VAR, .rtype = t, .off = off, .proc = proc};
        list_scalars(&l->s->procs[proc], t, f->name, off, init);
        off += t->size;
        if (off > SYS_STATE_MAX / 2)
            lower_fail(l, f->line, f->col, "the variables do not fit into a state of %d bytes",
                       SYS_STATE_MAX / 2);
    }
    return off;
}

void lower_enter(struct lower *l, int proc)
{
    struct var_layout *v = &l->vars[proc];
    for (size_t i = 0; i < v->consts.count; i++)
        vec_push(&l->scope, v->consts.items[i]);
    for (int i = 0; i < v->count; i++)
        vec_push(&l->scope, v->entries[i]);
    l->proc = proc;
}
