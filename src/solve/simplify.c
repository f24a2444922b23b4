/* What an operation becomes: constants are folded, neutral elements vanish, and the forms that compiled
 * C produces are undone — a comparison that was widened and compared with 0 again, bytes of one value
 * that are put together again after they went through memory. Every rule is an identity over bit
 * vectors; tests/unit/test_expr.c compares with evaluation on random expressions. */
#include "solve/simplify.h"

static const struct expr *at(const struct exprs *x, uint32_t e)
{
    return &x->nodes[e];
}

static bool is_const(const struct exprs *x, uint32_t e)
{
    return at(x, e)->op == OP_CONST;
}

static bool is_value(const struct exprs *x, uint32_t e, uint64_t value)
{
    return is_const(x, e) && at(x, e)->value == (value & expr_ones(at(x, e)->width));
}

static uint32_t binary(struct exprs *x, enum expr_op op, unsigned width, uint32_t a, uint32_t b)
{
    return expr_make(x, (struct expr){.op = (uint8_t)op, .width = (uint8_t)width, .a = a, .b = b});
}

uint32_t expr_not(struct exprs *x, uint32_t a)
{
    return a ? expr_binary(x, OP_XOR, a, expr_const(x, ~0ull, at(x, a)->width)) : 0;
}

static bool commutes(enum expr_op op)
{
    return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_ADD || op == OP_MUL || op == OP_EQ;
}

/* An operand is the constant b: the result, or 0 if there is no rule. */
static uint32_t with_constant(struct exprs *x, enum expr_op op, uint32_t a, uint32_t b)
{
    unsigned width = at(x, a)->width;
    bool zero = is_value(x, b, 0), ones = is_value(x, b, ~0ull);
    switch (op) {
    case OP_AND:
        return zero ? b : ones ? a : 0;
    case OP_OR:
        return zero ? a : ones ? b : 0;
    case OP_ADD:
    case OP_SUB:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return zero ? a : 0;
    case OP_XOR:
        if (at(x, a)->op == OP_XOR && is_const(x, at(x, a)->b))
            return expr_binary(x, OP_XOR, at(x, a)->a,
                               expr_const(x, at(x, at(x, a)->b)->value ^ at(x, b)->value, width));
        return zero ? a : 0;
    case OP_MUL:
        return zero ? b : is_value(x, b, 1) ? a : 0;
    case OP_UDIV:
        return is_value(x, b, 1) ? a : 0;
    case OP_ULT:
        return zero ? expr_const(x, 0, 1) : 0;
    default:
        return 0;
    }
}

/* a == constant, where a is made of something narrower or of a choice. */
static uint32_t equals_constant(struct exprs *x, uint32_t a, uint32_t b)
{
    const struct expr *n = at(x, a);
    uint64_t value = at(x, b)->value;
    if (n->width == 1)
        return value ? a : expr_not(x, a);
    if (n->op == OP_ZEXT || n->op == OP_SEXT) {
        unsigned narrow = at(x, n->a)->width;
        uint64_t back = n->op == OP_ZEXT
                            ? value & expr_ones(narrow)
                            : (uint64_t)expr_signed(value & expr_ones(narrow), narrow) &
                                  expr_ones(n->width);
        if (back != value)
            return expr_const(x, 0, 1);
        return expr_binary(x, OP_EQ, n->a, expr_const(x, value, narrow));
    }
    if (n->op == OP_XOR && is_const(x, n->b))
        return expr_binary(x, OP_EQ, n->a, expr_const(x, value ^ at(x, n->b)->value, n->width));
    if (n->op == OP_ADD && is_const(x, n->b))
        return expr_binary(x, OP_EQ, n->a, expr_const(x, value - at(x, n->b)->value, n->width));
    if (n->op == OP_ITE && is_const(x, n->b) && is_const(x, n->c)) {
        bool yes = at(x, n->b)->value == value, no = at(x, n->c)->value == value;
        return yes && no ? expr_const(x, 1, 1) : yes ? n->a : no ? expr_not(x, n->a)
                                                              : expr_const(x, 0, 1);
    }
    return 0;
}

/* Comparison of values that were both widened from w bits, or of one with a constant that fits. */
static uint32_t compare_narrow(struct exprs *x, enum expr_op op, uint32_t a, uint32_t b)
{
    const struct expr *m = at(x, a), *n = at(x, b);
    const struct expr *wide = m->op == OP_ZEXT ? m : n;
    if (wide->op != OP_ZEXT)
        return 0;
    unsigned narrow = at(x, wide->a)->width;
    uint32_t sides[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const struct expr *side = at(x, sides[i]);
        if (side->op == OP_ZEXT && at(x, side->a)->width == narrow)
            sides[i] = side->a;
        else if (side->op == OP_CONST && !(side->value & ~expr_ones(narrow)))
            sides[i] = expr_const(x, side->value, narrow);
        else
            return 0;
    }
    /* Widened values are not negative. */
    return expr_binary(x, op == OP_SLT ? OP_ULT : op, sides[0], sides[1]);
}

/* Both operands are the same. */
static uint32_t with_itself(struct exprs *x, enum expr_op op, uint32_t a)
{
    unsigned width = at(x, a)->width;
    switch (op) {
    case OP_AND:
    case OP_OR:
        return a;
    case OP_XOR:
    case OP_SUB:
        return expr_const(x, 0, width);
    case OP_EQ:
        return expr_const(x, 1, 1);
    case OP_ULT:
    case OP_SLT:
        return expr_const(x, 0, 1);
    default:
        return 0;
    }
}

static uint32_t make_binary(struct exprs *x, enum expr_op op, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return 0;
    unsigned width = at(x, a)->width;
    unsigned result = op == OP_EQ || op == OP_ULT || op == OP_SLT ? 1 : width;
    if (is_const(x, a) && is_const(x, b))
        return expr_const(x, expr_compute(op, at(x, a)->value, at(x, b)->value, width), result);
    if (commutes(op) && (is_const(x, a) || (!is_const(x, b) && a > b))) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    uint32_t r = a == b ? with_itself(x, op, a) : is_const(x, b) ? with_constant(x, op, a, b) : 0;
    if (!r && op == OP_EQ && is_const(x, b))
        r = equals_constant(x, a, b);
    if (!r && result == 1 && width > 1)
        r = compare_narrow(x, op, a, b);
    return r ? r : binary(x, op, result, a, b);
}

static struct expr_memo *memo_of(const struct exprs *x, uint32_t op, uint32_t a, uint32_t b)
{
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15ull + op * 0x94d049bb133111ebull;
    return &x->memo[h >> 32 & (EXPR_MEMO - 1)];
}

static bool remembers(const struct expr_memo *m, uint32_t op, uint32_t a, uint32_t b)
{
    return m->result && m->op == op && m->a == a && m->b == b;
}

uint32_t expr_binary(struct exprs *x, enum expr_op op, uint32_t a, uint32_t b)
{
    struct expr_memo *m = memo_of(x, op, a, b);
    if (!remembers(m, op, a, b))
        *m = (struct expr_memo){op, a, b, make_binary(x, op, a, b)};
    return m->result;
}

uint32_t expr_extend(struct exprs *x, uint32_t a, unsigned width, bool is_signed)
{
    if (!a)
        return 0;
    const struct expr *n = at(x, a);
    if (n->width == width)
        return a;
    if (n->op == OP_CONST)
        return expr_const(x, is_signed ? (uint64_t)expr_signed(n->value, n->width) : n->value, width);
    if (n->op == OP_ZEXT) /* its upper bit is 0 */
        return expr_extend(x, n->a, width, false);
    if (n->op == OP_SEXT && is_signed)
        return expr_extend(x, n->a, width, true);
    return expr_make(x, (struct expr){.op = is_signed ? OP_SEXT : OP_ZEXT, .width = (uint8_t)width,
                                      .a = a});
}

static uint32_t extract_concat(struct exprs *x, const struct expr *n, unsigned low, unsigned width)
{
    unsigned cut = at(x, n->b)->width;
    uint32_t high = n->a, lower = n->b;
    if (low >= cut)
        return expr_extract(x, high, low - cut, width);
    if (low + width <= cut)
        return expr_extract(x, lower, low, width);
    return expr_concat(x, expr_extract(x, high, 0, low + width - cut),
                       expr_extract(x, lower, low, cut - low));
}

static uint32_t extract_extended(struct exprs *x, const struct expr *n, unsigned low, unsigned width)
{
    unsigned narrow = at(x, n->a)->width;
    if (low + width <= narrow)
        return expr_extract(x, n->a, low, width);
    if (low >= narrow && n->op == OP_ZEXT)
        return expr_const(x, 0, width);
    if (low == 0)
        return expr_extend(x, n->a, width, n->op == OP_SEXT);
    return 0;
}

static uint32_t make_extract(struct exprs *x, uint32_t a, unsigned low, unsigned width)
{
    const struct expr n = *at(x, a);
    uint32_t r = 0;
    if (low == 0 && n.width == width)
        return a;
    if (n.op == OP_CONST)
        return expr_const(x, n.value >> low, width);
    if (n.op == OP_EXTRACT)
        return expr_extract(x, n.a, low + n.c, width);
    if (n.op == OP_CONCAT)
        r = extract_concat(x, &n, low, width);
    else if (n.op == OP_ZEXT || n.op == OP_SEXT)
        r = extract_extended(x, &n, low, width);
    else if (n.op >= OP_AND && n.op <= OP_XOR)
        r = expr_binary(x, n.op, expr_extract(x, n.a, low, width), expr_extract(x, n.b, low, width));
    return r ? r : expr_make(x, (struct expr){.op = OP_EXTRACT, .width = (uint8_t)width, .a = a,
                                              .c = low});
}

uint32_t expr_extract(struct exprs *x, uint32_t a, unsigned low, unsigned width)
{
    uint32_t op = OP_EXTRACT | low << 8 | width << 16;
    struct expr_memo *m = memo_of(x, op, a, 0);
    if (!remembers(m, op, a, 0))
        *m = (struct expr_memo){op, a, 0, a ? make_extract(x, a, low, width) : 0};
    return m->result;
}

/* The part of a value that an expression is: itself, or some of its bits. */
static void part_of(const struct exprs *x, uint32_t e, uint32_t *whole, unsigned *low)
{
    bool part = at(x, e)->op == OP_EXTRACT;
    *whole = part ? at(x, e)->a : e;
    *low = part ? at(x, e)->c : 0;
}

/* Are they neighbouring parts of one value? */
static bool joins(const struct exprs *x, uint32_t high, uint32_t low)
{
    uint32_t whole_high, whole_low;
    unsigned from_high, from_low;
    part_of(x, high, &whole_high, &from_high);
    part_of(x, low, &whole_low, &from_low);
    return (is_const(x, high) && is_const(x, low)) ||
           (whole_high == whole_low && whole_low != low && from_high == from_low + at(x, low)->width);
}

static uint32_t make_concat(struct exprs *x, uint32_t high, uint32_t low)
{
    if (!high || !low)
        return 0;
    unsigned low_width = at(x, low)->width, width = at(x, high)->width + low_width;
    if (is_value(x, high, 0))
        return expr_extend(x, low, width, false);
    if (is_const(x, high) && is_const(x, low))
        return expr_const(x, at(x, high)->value << low_width | at(x, low)->value, width);
    if (joins(x, high, low))
        return expr_extract(x, at(x, low)->a, at(x, low)->c, width);
    if (at(x, low)->op == OP_CONCAT && joins(x, high, at(x, low)->a)) {
        uint32_t lower = at(x, low)->b;
        return expr_concat(x, expr_concat(x, high, at(x, low)->a), lower);
    }
    return expr_make(x, (struct expr){.op = OP_CONCAT, .width = (uint8_t)width, .a = high, .b = low});
}

uint32_t expr_concat(struct exprs *x, uint32_t high, uint32_t low)
{
    struct expr_memo *m = memo_of(x, OP_CONCAT, high, low);
    if (!remembers(m, OP_CONCAT, high, low))
        *m = (struct expr_memo){OP_CONCAT, high, low, make_concat(x, high, low)};
    return m->result;
}

uint32_t expr_ite(struct exprs *x, uint32_t cond, uint32_t yes, uint32_t no)
{
    if (!cond || !yes || !no)
        return 0;
    if (is_const(x, cond))
        return at(x, cond)->value ? yes : no;
    if (yes == no)
        return yes;
    if (at(x, yes)->width == 1 && is_const(x, yes) && is_const(x, no))
        return at(x, yes)->value ? cond : expr_not(x, cond);
    return expr_make(x, (struct expr){.op = OP_ITE, .width = at(x, yes)->width, .a = cond, .b = yes,
                                      .c = no});
}
