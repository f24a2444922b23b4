/* --save-queries: every question to the solver with its answer, in SMT-LIB 2, so that another solver can be
 * asked. Expressions are defined once, under their numbers; a question is what the slice of its conditions
 * (solve/solver.h) says, between push and pop. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    uint32_t defined; /* all expressions below this number are */
    size_t used;
    char text[1 << 16];
} out;

/* Opened each time: between executions the descriptors are put back to what the program had. */
static void flush(void)
{
    int fd = (int)syscall(SYS_open, rt.shared->config.save_queries, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (syscall(SYS_write, fd, out.text, out.used) != (long)out.used)
        finding_warn(0, "the questions to the solver could not be written");
    syscall(SYS_close, fd);
    out.used = 0;
}

#define PUT(...)                                                                                    \
    (out.used += (size_t)rt_format(out.text + out.used, sizeof out.text - out.used, __VA_ARGS__),   \
     out.used > sizeof out.text - 512 ? flush() : (void)0)

static const char *const words[] = {
#define OP(name, text) [OP_##name] = text,
#include "solve/expr.def"
#undef OP
};

static void put_meaning(const struct exprs *x, const struct expr *e)
{
    switch (e->op) {
    case OP_CONST:
        PUT("(_ bv%lu %u)", e->value, e->width);
        return;
    case OP_INPUT:
        PUT("i%u", e->a);
        return;
    case OP_ZEXT:
    case OP_SEXT:
        PUT("((_ %s %u) e%u)", words[e->op], e->width - (unsigned)x->nodes[e->a].width, e->a);
        return;
    case OP_EXTRACT:
        PUT("((_ extract %u %u) e%u)", e->c + e->width - 1, e->c, e->a);
        return;
    case OP_ITE:
        PUT("(ite (= e%u #b1) e%u e%u)", e->a, e->b, e->c);
        return;
    case OP_EQ:
    case OP_ULT:
    case OP_SLT:
        PUT("(ite (%s e%u e%u) #b1 #b0)", words[e->op], e->a, e->b);
        return;
    default:
        PUT("(%s e%u e%u)", words[e->op], e->a, e->b);
    }
}

static void define_all(const struct exprs *x)
{
    for (; out.defined < x->count; out.defined++) {
        const struct expr *e = &x->nodes[out.defined];
        if (e->op == OP_INPUT)
            PUT("(declare-const i%u (_ BitVec 8))\n", e->a);
        PUT("(define-fun e%u () (_ BitVec %u) ", out.defined, e->width);
        put_meaning(x, e);
        PUT(")\n");
    }
}

static void save(const uint32_t *conditions, uint32_t count, enum answer answer)
{
    static const char *const answers[] = {
        [ANSWER_NO] = "unsat", [ANSWER_YES] = "sat", [ANSWER_UNKNOWN] = "unknown"};
    define_all(&sym->solver.x);
    PUT("(push 1)\n");
    for (uint32_t i = 0; i < count; i++)
        PUT("(assert (= e%u #b1))\n", conditions[i]);
    PUT("(check-sat) ; %s\n(pop 1)\n", answers[answer]);
    flush();
}

void sym_save_queries(void)
{
    const char *path = rt.shared->config.save_queries;
    if (!path[0])
        return;
    int fd = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        rt_fatal("%s cannot be written", path);
    syscall(SYS_close, fd);
    out.defined = 1; /* 0 is none */
    PUT("(set-logic QF_BV)\n");
    sym->solver.answered = save;
}
