/* What the files of the lowering share: the names in scope and the first error. */
#ifndef MODEL_LOWER_H
#define MODEL_LOWER_H

#include "model/sys.h"

#include <setjmp.h>

enum rtype_kind { RT_SCALAR, RT_RECORD, RT_ARRAY };

/* A type with all sizes known. */
struct rtype {
    enum rtype_kind kind;
    int type; /* of a scalar */
    long long lo, hi;
    int size, width;
    int count; /* of an array */
    struct rtype *elem;
    int nfields;
    char **names;
    struct rtype **fields;
    int *offs;
};

enum scope_kind { SCOPE_CONST, SCOPE_LIST, SCOPE_REG, SCOPE_VAR };

struct scope_entry {
    const char *name;
    enum scope_kind kind;
    long long value; /* CONST; the register of REG */
    int type;
    long long lo, hi;  /* REG */
    long long *values; /* LIST */
    int count;
    struct rtype *rtype; /* VAR */
    int off, proc;
};

struct var_layout { /* the variables of one instance, and the values of its parameters */
    struct scope_entry *entries;
    int count;
    VEC(struct scope_entry) consts;
};

struct lower {
    struct sys *s;
    const struct ast *a;
    const struct model_source *src;
    struct error *e;
    jmp_buf fail;
    VEC(struct scope_entry) scope;
    VEC(struct rtype *) records; /* as declared; names beside */
    VEC(const char *) record_names;
    struct var_layout *vars; /* per process */
    int regs;                /* registers in use */
    int proc;                /* the instance being lowered, or -1 in an invariant */
};

void lower_fail(struct lower *l, int line, int col, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

/* lower_expr.c */
struct ir *lower_expr(struct lower *l, const struct ex *x);
struct ir *lower_bool(struct lower *l, const struct ex *x, const char *what);
long long lower_const(struct lower *l, const struct ex *x, const char *what);
struct model_place *lower_place(struct lower *l, const struct ex *x);
const struct scope_entry *lower_find(struct lower *l, const char *name);
const char *lower_type_name(struct lower *l, int type);
/* Complains unless a value of this type may be stored in a place of that type. */
void lower_fits(struct lower *l, const struct ir *value, int type, long long lo, long long hi,
                const char *what);

/* lower_type.c */
struct rtype *lower_type(struct lower *l, const struct ty *y);
void lower_globals(struct lower *l, const char *const *defs, size_t ndefs);
/* Gives the variables of an instance their places from off on; returns the place after them. */
int lower_vars(struct lower *l, int proc, const struct process_decl *d, int off);
/* Puts what the instance can name into scope; l->scope.count before the call undoes it. */
void lower_enter(struct lower *l, int proc);

/* lower_trans.c */
typedef VEC(struct trans) trans_list;
void lower_process(struct lower *l, int proc, trans_list *into);

#endif
