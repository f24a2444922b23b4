/* See expr.h. The graph is a table of nodes with a hash table over it; this file makes nodes and walks
 * over them, simplify.c decides which node an operation becomes. */
#include "solve/simplify.h"

int exprs_init(struct exprs *x, struct arena *a, uint32_t room)
{
    uint32_t size = 1;
    while (size < room * 2)
        size *= 2;
    *x = (struct exprs){.room = room, .count = 1};
    x->nodes = arena_alloc(a, room * sizeof *x->nodes);
    x->memo = arena_alloc(a, EXPR_MEMO * sizeof *x->memo);
    x->stamp = arena_alloc(a, room * sizeof *x->stamp);
    x->values = arena_alloc(a, room * sizeof *x->values);
    x->list = arena_alloc(a, room * sizeof *x->list);
    x->stack = arena_alloc(a, room * sizeof *x->stack);
    return x->nodes && x->memo && x->stamp && x->values && x->list && x->stack &&
                   !htable_init(&x->table, a, size)
               ? 0 : -1;
}

bool exprs_full(const struct exprs *x)
{
    return x->count >= x->room;
}

static uint64_t hash_of(const struct expr *n)
{
    uint64_t h = n->value + 0x9e3779b97f4a7c15ull * (n->op + 64u * n->width);
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull + n->a;
    h = (h ^ h >> 31) * 0x94d049bb133111ebull + n->b;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull + n->c;
    return h ^ h >> 32;
}

static bool same(const struct expr *m, const struct expr *n)
{
    return m->op == n->op && m->width == n->width && m->a == n->a && m->b == n->b && m->c == n->c &&
           m->value == n->value;
}

unsigned expr_operands(const struct expr *n, uint32_t operands[3])
{
    operands[0] = n->a;
    operands[1] = n->b;
    operands[2] = n->c;
    if (n->op <= OP_INPUT)
        return 0;
    if (n->op == OP_ITE)
        return 3;
    return n->op == OP_ZEXT || n->op == OP_SEXT || n->op == OP_EXTRACT ? 1 : 2;
}

/* On which bytes of input it depends, from its operands. */
static void find_inputs(const struct exprs *x, struct expr *n)
{
    uint32_t operands[3];
    unsigned count = expr_operands(n, operands);
    if (n->op == OP_INPUT) {
        n->inputs = 1ull << (n->a & 63);
        n->single = (uint16_t)(n->a + 1);
    }
    bool several = false;
    for (unsigned i = 0; i < count; i++) {
        const struct expr *m = &x->nodes[operands[i]];
        n->inputs |= m->inputs;
        several |= m->inputs && (!m->single || (n->single && n->single != m->single));
        n->single = m->single ? m->single : n->single;
    }
    if (several)
        n->single = 0;
}

uint32_t expr_make(struct exprs *x, struct expr n)
{
    uint64_t key = hash_of(&n);
    struct htable_entry *at = htable_find(&x->table, key);
    for (; htable_has(&x->table, at); at = htable_another(&x->table, at))
        if (same(&x->nodes[at->value], &n))
            return at->value;
    if (exprs_full(x) || !htable_put(&x->table, at, key, x->count))
        return 0;
    find_inputs(x, &n);
    x->nodes[x->count] = n;
    return x->count++;
}

uint32_t expr_const(struct exprs *x, uint64_t value, unsigned width)
{
    return expr_make(x, (struct expr){.op = OP_CONST, .width = (uint8_t)width,
                                      .value = value & expr_ones(width)});
}

uint32_t expr_input(struct exprs *x, uint32_t byte)
{
    return byte < EXPR_INPUTS
               ? expr_make(x, (struct expr){.op = OP_INPUT, .width = 8, .a = byte})
               : 0;
}

static uint64_t divide(enum expr_op op, uint64_t a, uint64_t b, unsigned width)
{
    int64_t sa = expr_signed(a, width), sb = expr_signed(b, width);
    switch (op) {
    case OP_UDIV:
        return b ? a / b : ~0ull;
    case OP_UREM:
        return b ? a % b : a;
    case OP_SDIV:
        return !sb ? (sa < 0 ? 1 : ~0ull) : sb == -1 ? 0 - a : (uint64_t)(sa / sb);
    default:
        return !sb ? a : sb == -1 ? 0 : (uint64_t)(sa % sb);
    }
}

uint64_t expr_compute(enum expr_op op, uint64_t a, uint64_t b, unsigned width)
{
    uint64_t ones = expr_ones(width);
    switch (op) {
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_SHL:
        return b < width ? a << b & ones : 0;
    case OP_LSHR:
        return b < width ? a >> b : 0;
    case OP_ASHR:
        return (uint64_t)(expr_signed(a, width) >> (b < width ? b : width - 1)) & ones;
    case OP_ADD:
        return (a + b) & ones;
    case OP_SUB:
        return (a - b) & ones;
    case OP_MUL:
        return (a * b) & ones;
    case OP_EQ:
        return a == b;
    case OP_ULT:
        return a < b;
    case OP_SLT:
        return expr_signed(a, width) < expr_signed(b, width);
    default:
        return divide(op, a, b, width) & ones;
    }
}

/* ---- walks: no recursion, for stacks may be small and expressions deep -------------------------- */

static bool first_visit(struct exprs *x, uint32_t e)
{
    if (x->stamp[e] == x->now)
        return false;
    x->stamp[e] = x->now;
    return true;
}

/* Operands have smaller numbers, so ascending order is what is wanted; a heap gives it. */
static void sift_down(uint32_t *v, uint32_t i, uint32_t n)
{
    for (uint32_t k; (k = 2 * i + 1) < n; i = k) {
        k += k + 1 < n && v[k + 1] > v[k];
        if (v[i] >= v[k])
            return;
        uint32_t t = v[i];
        v[i] = v[k];
        v[k] = t;
    }
}

static void sort(uint32_t *v, uint32_t n)
{
    for (uint32_t i = n / 2; i-- > 0;)
        sift_down(v, i, n);
    while (n-- > 1) {
        uint32_t t = v[0];
        v[0] = v[n];
        v[n] = t;
        sift_down(v, 0, n);
    }
}

uint32_t expr_walk(struct exprs *x, const uint32_t *roots, uint32_t n, const uint32_t **list)
{
    uint32_t depth = 0, count = 0, operands[3];
    x->now++;
    for (uint32_t i = 0; i < n; i++)
        if (first_visit(x, roots[i]))
            x->stack[depth++] = roots[i];
    while (depth) {
        uint32_t e = x->stack[--depth];
        x->list[count++] = e;
        for (unsigned k = expr_operands(&x->nodes[e], operands); k-- > 0;)
            if (first_visit(x, operands[k]))
                x->stack[depth++] = operands[k];
    }
    sort(x->list, count);
    *list = x->list;
    return count;
}

static uint64_t eval_node(const struct exprs *x, const struct expr *n, const uint8_t *bytes,
                          uint32_t count)
{
    const uint64_t *v = x->values;
    switch (n->op) {
    case OP_CONST:
        return n->value;
    case OP_INPUT:
        return n->a < count ? bytes[n->a] : 0;
    case OP_ZEXT:
        return v[n->a];
    case OP_SEXT:
        return (uint64_t)expr_signed(v[n->a], x->nodes[n->a].width) & expr_ones(n->width);
    case OP_EXTRACT:
        return v[n->a] >> n->c & expr_ones(n->width);
    case OP_CONCAT:
        return v[n->a] << x->nodes[n->b].width | v[n->b];
    case OP_ITE:
        return v[n->a] ? v[n->b] : v[n->c];
    default:
        return expr_compute(n->op, v[n->a], v[n->b], x->nodes[n->a].width);
    }
}

void expr_eval_list(struct exprs *x, const uint32_t *list, uint32_t n, const uint8_t *bytes,
                    uint32_t count)
{
    for (uint32_t i = 0; i < n; i++)
        x->values[list[i]] = eval_node(x, &x->nodes[list[i]], bytes, count);
}

uint64_t expr_eval(struct exprs *x, uint32_t e, const uint8_t *bytes, uint32_t count)
{
    const uint32_t *list;
    uint32_t n = expr_walk(x, &e, 1, &list);
    expr_eval_list(x, list, n, bytes, count);
    return x->values[e];
}
