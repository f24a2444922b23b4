/* The syntax tree of a model, as written; model/parse.c makes it, model/lower*.c turns it into the
 * flat system of model/sys.h. Nodes live as long as the process: a run reads one model. */
#ifndef MODEL_AST_H
#define MODEL_AST_H

#include "base/mem.h"
#include "model/lex.h"

enum ex_kind {
    EX_NUM,
    EX_BOOL,
    EX_NAME,
    EX_INDEX,
    EX_FIELD,
    EX_AT,
    EX_UN,
    EX_BIN,
    EX_COND,
    EX_QUANT,
    EX_CALL,
    EX_ANY /* "_" in a receive */,
    EX_MATCH /* "= e" */
};

/* Operators; the order is that of the table in parse_expr.c. */
enum op {
    OP_OR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_NEG,
    OP_NOT,
    OP_FORALL,
    OP_EXISTS,
    OP_SUM,
    OP_MIN,
    OP_MAX,
    OP_ABS
};

struct ex {
    enum ex_kind kind;
    enum op op;
    int line, col;
    long long num;
    char *name; /* of a name, field, state, quantified variable */
    struct ex *x, *y, *z;
};

enum ty_kind { TY_RANGE, TY_BOOL, TY_NAMED, TY_ARRAY };

struct ty {
    enum ty_kind kind;
    int line, col;
    struct ex *lo, *hi; /* TY_RANGE; lo is the length of a TY_ARRAY */
    char *name;         /* TY_NAMED */
    struct ty *elem;
};

struct st;
typedef VEC(struct st *) st_list;
typedef VEC(struct ex *) ex_list;

enum st_kind { ST_ASSIGN, ST_IF, ST_FOR, ST_ASSERT };

struct st {
    enum st_kind kind;
    int line, col;
    struct ex *lhs, *rhs; /* ASSIGN; rhs also condition of IF and ASSERT; FOR: lhs .. rhs */
    char *name;           /* FOR: variable; ASSERT: text or NULL */
    st_list body, other;
};

enum action { ACT_NONE, ACT_SEND, ACT_RECV };

struct tr {
    int line, col;
    char *each; /* NULL: no "each" */
    struct ex *each_lo, *each_hi;
    struct ex *guard; /* may be NULL */
    enum action action;
    char *message;
    int message_line, message_col;
    ex_list args;
    char *process; /* target of a send */
    struct ex *process_index, *port_index;
    char *port;
    st_list body;
    char *target; /* NULL: stays */
    int target_line, target_col;
    char *text; /* as written, on one line, for traces */
};

struct state_decl {
    char *name;
    int line, col, final, initial;
    VEC(struct tr *) trans;
};

struct field {
    char *name;
    int line, col;
    struct ty *type;
    struct ex *init; /* of a variable */
};
typedef VEC(struct field) field_list;

struct port_decl {
    char *name;
    int line, col;
    struct ex *length;       /* NULL: one port */
    VEC(struct field) types; /* name and place of each message type */
};

struct process_decl {
    char *name;
    int line, col;
    struct ex *count; /* NULL: one instance */
    int is_template;  /* has parameters: only "instance" makes instances */
    field_list params, vars, consts;
    VEC(struct port_decl) ports;
    VEC(struct state_decl) states;
};

enum decl_kind {
    DECL_PARAM,
    DECL_CONST,
    DECL_ENUM,
    DECL_RECORD,
    DECL_MESSAGE,
    DECL_INSTANCE,
    DECL_INVARIANT
};

struct decl {
    enum decl_kind kind;
    char *name; /* may be NULL for an invariant */
    int line, col;
    struct ex *value;  /* param, const, invariant; count of an instance */
    int is_list;       /* const [ … ] */
    ex_list values;    /* const list; arguments of an instance */
    field_list fields; /* enum names, record and message fields */
    char *process;     /* instance of */
    char *text;        /* an invariant as written */
};

struct ast {
    const struct model_source *src;
    VEC(struct decl) decls;
    VEC(struct process_decl *) processes;
};

/* Reads a whole model. 0 or -1 with e saying where and why. */
int ast_parse(const struct model_source *src, struct ast *out, struct error *e);

#endif
