/* What operations make of shadows. Called only if one of the operands has one. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"
#include "rt/core/restart.h"
#include "rt/core/sched.h"
#include "rt/posix/thread.h"

#include "rewrite/hooks.h"

RT_EXPORT uintptr_t raddle_sym_callee, raddle_sym_returned;
RT_EXPORT uint32_t raddle_sym_args[SYM_ARGS], raddle_sym_result, raddle_sym_expected;
static uint32_t thread_value, argument_of[EVENT_MAX_THREADS], result_of[EVENT_MAX_THREADS];

static struct exprs *exprs(void)
{
    return &sym->solver.x;
}

uint32_t sym_shadow(uint32_t e)
{
    if (!e) {
        sym_no_room();
        return 0;
    }
    return expr_at(exprs(), e)->op == OP_CONST ? 0 : e;
}

uint32_t sym_operand(uint32_t s, uint64_t value, unsigned width)
{
    if (!s)
        return expr_const(exprs(), value, width);
    unsigned own = expr_at(exprs(), s)->width;
    return own == width  ? s
           : own < width ? expr_extend(exprs(), s, width, false)
                         : expr_extract(exprs(), s, 0, width);
}

static bool off(void)
{
    return !sym || !rt.active;
}

static enum expr_op operation(unsigned op)
{
    switch (op) {
    case SYM_ADD:
        return OP_ADD;
    case SYM_SUB:
        return OP_SUB;
    case SYM_MUL:
        return OP_MUL;
    case SYM_UDIV:
        return OP_UDIV;
    case SYM_SDIV:
        return OP_SDIV;
    case SYM_UREM:
        return OP_UREM;
    case SYM_SREM:
        return OP_SREM;
    case SYM_SHL:
        return OP_SHL;
    case SYM_LSHR:
        return OP_LSHR;
    case SYM_ASHR:
        return OP_ASHR;
    case SYM_AND:
        return OP_AND;
    case SYM_OR:
        return OP_OR;
    default:
        return OP_XOR;
    }
}

/* The processor uses the lowest bits of the distance; C does not say what a larger one means. */
static uint32_t distance(uint32_t e, unsigned width)
{
    if (width != 32 && width != 64)
        return e;
    return expr_binary(exprs(), OP_AND, e, expr_const(exprs(), width - 1, width));
}

/* ---- checks: can this fail here? ------------------------------------------------------------- */

/* The operation fails if the expression holds: both are executed, and that one ends there. */
static void must_not(uint32_t e, const char *what, uint64_t pc)
{
    if (!e)
        return;
    bool fails = expr_eval(exprs(), e, sym->bytes, sym->byte_count);
    if (sym_shadow(e))
        sym_decide(e, fails, pc);
    if (!fails)
        return;
    finding_commit(finding_new(FINDING_OVERFLOW, pc, 0, "%s", what));
    sched_end_execution(OUTCOME_COMPLETE);
}

/* The sign is wrong: ((p ^ r) & (q ^ r)) < 0. */
static uint32_t wrong_sign(uint32_t p, uint32_t q, uint32_t r, unsigned width)
{
    uint32_t a = expr_binary(exprs(), OP_XOR, p, r), b = expr_binary(exprs(), OP_XOR, q, r);
    uint32_t both = a && b ? expr_binary(exprs(), OP_AND, a, b) : 0;
    return both ? expr_extract(exprs(), both, width - 1, 1) : 0;
}

static uint32_t product_too_large(uint32_t x, uint32_t y, unsigned width)
{
    uint32_t a = expr_extend(exprs(), x, 64, true), b = expr_extend(exprs(), y, 64, true);
    uint32_t p = a && b ? expr_binary(exprs(), OP_MUL, a, b) : 0;
    uint32_t r = p ? expr_extract(exprs(), p, 0, width) : 0;
    uint32_t back = r ? expr_extend(exprs(), r, 64, true) : 0;
    uint32_t same = back ? expr_binary(exprs(), OP_EQ, back, p) : 0;
    return same ? expr_not(exprs(), same) : 0;
}

static void check_overflow(enum expr_op op, bool no_wrap, uint32_t x, uint32_t y, unsigned width,
                           uint64_t pc)
{
    if (op >= OP_SHL && op <= OP_ASHR) {
        uint32_t less = expr_binary(exprs(), OP_ULT, y, expr_const(exprs(), width, width));
        must_not(less ? expr_not(exprs(), less) : 0, "a shift by as much as the width or more", pc);
    } else if (no_wrap && op == OP_ADD) {
        uint32_t r = expr_binary(exprs(), op, x, y);
        must_not(wrong_sign(x, y, r, width), "signed overflow of an addition", pc);
    } else if (no_wrap && op == OP_SUB) { /* x = r + y */
        uint32_t r = expr_binary(exprs(), op, x, y);
        must_not(wrong_sign(r, y, x, width), "signed overflow of a subtraction", pc);
    } else if (no_wrap && op == OP_MUL && width <= 32) {
        must_not(product_too_large(x, y, width), "signed overflow of a product", pc);
    } else if (no_wrap && op == OP_MUL) {
        finding_incomplete("--check overflow does not look at products of 64 bits");
    }
}

RT_EXPORT void raddle_sym_overflow(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    unsigned width = how >> 8 & 255;
    if (!off() && rt.shared->config.check)
        check_overflow(operation(how & 255), how & SYM_NO_WRAP, sym_operand(sa, a, width),
                       sym_operand(sb, b, width), width, RT_PC());
}

static int64_t as_signed(uint64_t v, unsigned width)
{
    return (int64_t)(v << (64 - width)) >> (64 - width);
}

/* The compiler went by that this does not wrap round, and it does: what was executed need not be what the
 * expression says. */
static void note_wrapped(enum expr_op op, uint64_t a, uint64_t b, unsigned width, uint64_t pc)
{
    __int128 x = as_signed(a, width), y = as_signed(b, width);
    __int128 exact = op == OP_ADD ? x + y : op == OP_SUB ? x - y : x * y;
    if (exact == as_signed((uint64_t)exact, width))
        return;
    finding_incomplete("a signed counter or index overflows, which the compiler takes for impossible");
    finding_warn(pc, "signed overflow here: build with -fwrapv to explore it, or see --check overflow");
}

RT_EXPORT uint32_t raddle_sym_binary(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    unsigned width = how >> 8 & 255;
    enum expr_op op = operation(how & 255);
    if (off())
        return 0;
    uint32_t x = sym_operand(sa, a, width), y = sym_operand(sb, b, width);
    if (rt.shared->config.check)
        check_overflow(op, how & SYM_NO_WRAP, x, y, width, RT_PC());
    if (how & SYM_RELIED_ON)
        note_wrapped(op, a, b, width, RT_PC());
    if (op >= OP_SHL && op <= OP_ASHR)
        y = distance(y, width);
    return sym_shadow(expr_binary(exprs(), op, x, y));
}

static uint32_t compared(unsigned how, uint32_t x, uint32_t y)
{
    struct exprs *e = exprs();
    switch (how) {
    case SYM_EQ:
        return expr_binary(e, OP_EQ, x, y);
    case SYM_NE:
        return expr_not(e, expr_binary(e, OP_EQ, x, y));
    case SYM_UGT:
        return expr_binary(e, OP_ULT, y, x);
    case SYM_UGE:
        return expr_not(e, expr_binary(e, OP_ULT, x, y));
    case SYM_ULT:
        return expr_binary(e, OP_ULT, x, y);
    case SYM_ULE:
        return expr_not(e, expr_binary(e, OP_ULT, y, x));
    case SYM_SGT:
        return expr_binary(e, OP_SLT, y, x);
    case SYM_SGE:
        return expr_not(e, expr_binary(e, OP_SLT, x, y));
    case SYM_SLT:
        return expr_binary(e, OP_SLT, x, y);
    default:
        return expr_not(e, expr_binary(e, OP_SLT, y, x));
    }
}

RT_EXPORT uint32_t raddle_sym_compare(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    unsigned width = how >> 8;
    if (off())
        return 0;
    return sym_shadow(compared(how & 255, sym_operand(sa, a, width), sym_operand(sb, b, width)));
}

RT_EXPORT uint32_t raddle_sym_cast(uint32_t how, uint32_t to, uint32_t sa)
{
    if (off())
        return 0;
    uint32_t x = sym_operand(sa, 0, how >> 8);
    if ((how & 255) == SYM_TRUNC)
        return sym_shadow(expr_extract(exprs(), x, 0, to));
    return sym_shadow(expr_extend(exprs(), x, to, (how & 255) == SYM_SEXT));
}

RT_EXPORT uint32_t raddle_sym_select(uint32_t width, uint32_t sc, uint64_t c, uint32_t sa, uint64_t a,
                                     uint32_t sb, uint64_t b)
{
    if (off())
        return 0;
    return sym_shadow(expr_ite(exprs(), sym_operand(sc, c, 1), sym_operand(sa, a, width),
                               sym_operand(sb, b, width)));
}

/* ---- branches -------------------------------------------------------------------------------------- */

RT_EXPORT void raddle_sym_branch(uint32_t s, uint64_t taken)
{
    if (!off())
        sym_decide(s, taken & 1, RT_PC());
}

RT_EXPORT void raddle_sym_switch(uint32_t s, uint64_t value, uint32_t count, const uint64_t *cases)
{
    if (off())
        return;
    unsigned width = expr_at(exprs(), s)->width;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = expr_binary(exprs(), OP_EQ, s, expr_const(exprs(), cases[i], width));
        bool taken = (cases[i] & expr_ones(width)) == value;
        if (sym_shadow(same))
            sym_decide(same, taken, RT_PC());
        if (taken)
            return;
    }
}

static uint32_t is_constant(uint32_t e, uint64_t value, unsigned width)
{
    return expr_binary(exprs(), OP_EQ, e, expr_const(exprs(), value, width));
}

/* Both sides are executed: a division by zero, or of the lowest number by -1, is then seen as the crash
 * that it is. */
RT_EXPORT uint32_t raddle_sym_divisor(uint32_t how, uint32_t s, uint64_t value, uint32_t sa, uint64_t a)
{
    unsigned width = how >> 8, op = how & 255;
    uint64_t lowest = 1ull << (width - 1), ones = expr_ones(width);
    bool can_overflow = (op == SYM_SDIV || op == SYM_SREM) && width >= 32;
    bool overflows = can_overflow && a == lowest && value == ones;
    if (off())
        return !value || overflows;
    uint32_t divisor = sym_operand(s, value, width), number = sym_operand(sa, a, width);
    uint32_t zero = is_constant(divisor, 0, width);
    if (sym_shadow(zero))
        sym_decide(zero, value == 0, RT_PC());
    if (!can_overflow || !value)
        return !value;
    uint32_t low = is_constant(number, lowest, width), minus = is_constant(divisor, ones, width);
    uint32_t both = low && minus ? expr_binary(exprs(), OP_AND, low, minus) : 0;
    if (both && sym_shadow(both))
        sym_decide(both, overflows, RT_PC());
    return overflows;
}

RT_EXPORT void raddle_sym_force(uint32_t s, uint64_t value)
{
    if (!off())
        sym_concretise(s, value, RT_PC());
}

/* ---- calls ----------------------------------------------------------------------------------------- */

static uint64_t value_of(uint32_t s)
{
    return expr_eval(exprs(), s, sym->bytes, sym->byte_count);
}

RT_EXPORT void raddle_sym_call(uintptr_t callee, uint32_t s0, uint32_t s1, uint32_t s2, uint32_t s3,
                               uint32_t s4, uint32_t s5, uint32_t s6, uint32_t s7)
{
    const uint32_t all[SYM_ARGS] = {s0, s1, s2, s3, s4, s5, s6, s7};
    if (off())
        return;
    if (!restart_is_program(callee)) {
        for (int i = 0; i < SYM_ARGS; i++)
            if (all[i])
                sym_concretise(all[i], value_of(all[i]), RT_PC());
        return;
    }
    for (int i = 0; i < SYM_ARGS; i++)
        raddle_sym_args[i] = all[i];
    raddle_sym_callee = callee;
}

RT_EXPORT void raddle_sym_escape(uintptr_t callee, uint32_t s, uint64_t value)
{
    if (!off())
        sym_concretise(s, value, RT_PC());
}

RT_EXPORT uint32_t raddle_sym_take_result(uintptr_t callee)
{
    uint32_t s = raddle_sym_result;
    bool its = raddle_sym_returned == callee;
    raddle_sym_returned = 0;
    if (its || off())
        return its ? s : 0;
    sym_concretise(s, value_of(s), RT_PC());
    return 0;
}

RT_EXPORT void raddle_sym_return(uintptr_t self, uint32_t s)
{
    if (raddle_sym_returned)
        raddle_sym_take_result(0);
    raddle_sym_returned = s ? self : 0;
    raddle_sym_result = s;
}

RT_EXPORT void raddle_sym_thread(uint32_t s)
{
    thread_value = s;
}

uint32_t sym_take_thread_value(void)
{
    uint32_t s = thread_value;
    thread_value = 0;
    return s;
}

void sym_thread_created(int thread, uint32_t argument)
{
    if (sym && thread == 1)
        sym->before_threads = sym->path_count;
    argument_of[thread] = argument;
    result_of[thread] = 0;
}

void sym_thread_begins(int thread, void *(*start)(void *))
{
    raddle_sym_args[0] = argument_of[thread];
    for (int i = 1; i < SYM_ARGS; i++)
        raddle_sym_args[i] = 0;
    raddle_sym_callee = argument_of[thread] ? (uintptr_t)start : 0;
}

void sym_thread_returned(void *(*start)(void *))
{
    result_of[rt.current] = raddle_sym_returned ? raddle_sym_take_result((uintptr_t)start) : 0;
}

void sym_thread_exits(void)
{
    result_of[rt.current] = sym_take_thread_value();
}

void sym_thread_joined(int thread, void *result, uint32_t size)
{
    uint64_t value = 0;
    rt_copy(&value, result, size);
    raddle_sym_store((uintptr_t)result, size, result_of[thread], value);
}

/* ---- the exit status ------------------------------------------------------------------------------- */

/* Whether it is the one that is wanted; where a handler looks at it, it becomes concrete. */
static void exits(uint32_t s, int status, uint64_t pc)
{
    int wanted = rt.shared->config.status;
    if (thread_status_is_seen())
        sym_concretise(s, (unsigned)status, pc);
    if (wanted < 0)
        return;
    uint32_t low = sym_operand(s, (unsigned)status, 8);
    uint32_t right = sym_shadow(expr_binary(exprs(), OP_EQ, low, expr_const(exprs(), (unsigned)wanted, 8)));
    if (right)
        sym_decide(right, (status & 255) == wanted, pc);
}

RT_EXPORT void raddle_sym_status(uint32_t s, uint64_t status)
{
    if (!off())
        exits(s, (int)status, RT_PC());
}

void sym_main_returned(int status, uint64_t pc)
{
    if (!off() && raddle_sym_returned) {
        raddle_sym_returned = 0;
        exits(raddle_sym_result, status, pc);
    }
}
