/* Properties of global states in a complete unfolding (section 6.2, S1): the states that can be reached
 * (question.h) in which the expression has a value other than 0. The bytes of a variable are bits whose value
 * follows from the condition that is there:
 *
 *   S1   some condition of the variable's slot was put and is not taken, and the bits are those of its value
 *
 * and that a thread stands at a line is a disjunction of the conditions in which it does. Conditions with
 * the same value are taken together. The first question is whether the expression holds for any values that
 * the variables have at all, without the events; the second one asks for a state. A state that is found is
 * executed; the runtime says whether the property holds there. */
#include "explore/unfold/question.h"

#include "base/ensure.h"
#include "solve/blast.h"
#include "trace/property.h"

#include <string.h>

enum { EXPRESSIONS = 1 << 16, AT_BYTES = 8 * PROPERTY_OPS, VALUES = 1 << 14 };

/* The conditions of a variable with the same value. */
struct value_class {
    uint64_t value;
    uint32_t literal; /* one of them is there … */
    uint32_t open;    /* … namely one that is still to be named */
};

struct unfold_properties {
    struct properties all;
    struct exprs exprs;
    struct blast blast;
    bool ready;
    int next;   /* the property to ask about */
    struct value_class *values; /* [value_count]: of the variable at hand */
    uint32_t value_count;
    struct htable value_of;
    bool states; /* asked for: of each value that a condition with it is there */
    uint8_t bytes[EXPR_INPUTS];
};

int unfold_properties_init(struct engine *e)
{
    struct unfold *u = e->state;
    if (!e->config->compiled[0])
        return 0;
    u->properties = arena_alloc(e->arena, sizeof *u->properties);
    return u->properties && !property_read(&u->properties->all, e->config->compiled) ? 0 : -1;
}

/* ---- the expression ------------------------------------------------------------------------------- */

/* The first leaf of property k that is the same as leaf i: one variable has one value. */
static int same_leaf(const struct unfold_properties *p, int k, int i)
{
    const struct property_op *op = &p->all.ops[i];
    int first = p->all.first[k];
    for (; first < i; first++) {
        const struct property_op *other = &p->all.ops[first];
        if (other->kind == op->kind && other->value == op->value && other->width == op->width &&
            other->low == op->low && other->high == op->high)
            break;
    }
    return first;
}

/* Input bytes of leaf i: eight for each. */
static uint32_t leaf(struct exprs *x, const struct property_op *op, int i)
{
    uint32_t v = expr_input(x, (uint32_t)(8 * i));
    if (op->kind == PROPERTY_CONST)
        return expr_const(x, op->value, op->width);
    if (op->kind != PROPERTY_LOAD)
        return expr_extend(x, expr_extract(x, v, 0, 1), op->width, false);
    for (unsigned k = 1; k < op->width / 8u; k++)
        v = expr_concat(x, expr_input(x, (uint32_t)(8 * i) + k), v);
    return v;
}

static uint32_t fit_width(struct exprs *x, uint32_t v, unsigned width, bool is_signed)
{
    unsigned has = expr_at(x, v)->width;
    if (has == width)
        return v;
    return has > width ? expr_extract(x, v, 0, width) : expr_extend(x, v, width, is_signed);
}

static uint32_t is_true(struct exprs *x, uint32_t v)
{
    return expr_not(x, expr_binary(x, OP_EQ, v, expr_const(x, 0, expr_at(x, v)->width)));
}

static uint32_t less(struct exprs *x, bool is_signed, uint32_t a, uint32_t b)
{
    return expr_binary(x, is_signed ? OP_SLT : OP_ULT, a, b);
}

/* Truth values have one bit. */
static uint32_t truth(struct exprs *x, const struct property_op *op, uint32_t a, uint32_t b)
{
    switch (op->kind) {
    case PROPERTY_OR: return expr_binary(x, OP_OR, is_true(x, a), is_true(x, b));
    case PROPERTY_AND: return expr_binary(x, OP_AND, is_true(x, a), is_true(x, b));
    case PROPERTY_NOT: return expr_not(x, is_true(x, a));
    case PROPERTY_EQ: return expr_binary(x, OP_EQ, a, b);
    case PROPERTY_NE: return expr_not(x, expr_binary(x, OP_EQ, a, b));
    case PROPERTY_LT: return less(x, op->is_signed, a, b);
    case PROPERTY_GE: return expr_not(x, less(x, op->is_signed, a, b));
    case PROPERTY_GT: return less(x, op->is_signed, b, a);
    default: return expr_not(x, less(x, op->is_signed, b, a));
    }
}

static uint32_t number(struct exprs *x, const struct property_op *op, uint32_t a, uint32_t b)
{
    bool s = op->is_signed;
    switch (op->kind) {
    case PROPERTY_BIT_OR: return expr_binary(x, OP_OR, a, b);
    case PROPERTY_BIT_XOR: return expr_binary(x, OP_XOR, a, b);
    case PROPERTY_BIT_AND: return expr_binary(x, OP_AND, a, b);
    case PROPERTY_COMPLEMENT: return expr_binary(x, OP_XOR, a, expr_const(x, ~0ull, op->width));
    case PROPERTY_NEGATE: return expr_binary(x, OP_SUB, expr_const(x, 0, op->width), a);
    case PROPERTY_SHL: return expr_binary(x, OP_SHL, a, b);
    case PROPERTY_SHR: return expr_binary(x, s ? OP_ASHR : OP_LSHR, a, b);
    case PROPERTY_ADD: return expr_binary(x, OP_ADD, a, b);
    case PROPERTY_SUB: return expr_binary(x, OP_SUB, a, b);
    case PROPERTY_MUL: return expr_binary(x, OP_MUL, a, b);
    case PROPERTY_DIV: return expr_binary(x, s ? OP_SDIV : OP_UDIV, a, b);
    default: return expr_binary(x, s ? OP_SREM : OP_UREM, a, b);
    }
}

static bool is_truth(unsigned kind)
{
    return kind <= PROPERTY_NOT || (kind >= PROPERTY_EQ && kind <= PROPERTY_GE);
}

/* Property k as one bit; 0: it is a constant or there is no room. Types as in trace/property.c: a
 * value has the width and signedness of what made it. */
static uint32_t expression_of(struct unfold_properties *p, int k)
{
    struct exprs *x = &p->exprs;
    uint32_t stack[PROPERTY_OPS];
    bool is_signed[PROPERTY_OPS];
    int n = 0;
    for (int i = p->all.first[k]; i < p->all.first[k + 1]; i++) {
        const struct property_op *op = &p->all.ops[i];
        int operands = property_operands(op->kind);
        uint32_t a = 0, b = 0, v;
        ensure(n >= operands);
        if (operands)
            a = fit_width(x, stack[n - operands], op->width, is_signed[n - operands]);
        if (operands > 1)
            b = fit_width(x, stack[n - 1], op->width, is_signed[n - 1]);
        v = !operands             ? leaf(x, op, same_leaf(p, k, i))
            : is_truth(op->kind) ? expr_extend(x, truth(x, op, a, b), 32, false)
                                 : number(x, op, a, b);
        n -= operands;
        is_signed[n] = operands && is_truth(op->kind) ? true : op->is_signed;
        stack[n++] = v;
    }
    return exprs_full(x) || n != 1 ? 0 : is_true(x, stack[0]);
}

/* ---- what it depends on --------------------------------------------------------------------------- */

/* The literal of bit `bit` of input byte `byte`, SAT_FALSE if the expression does not have it. */
static bool input_bit(struct unfold_properties *p, uint32_t byte, unsigned bit, uint32_t *literal)
{
    return blast_input(&p->blast, byte, bit, literal);
}

/* The bytes of leaf i have this value, if the literal holds. */
static void state_value(struct question *q, uint32_t if_so, int i, unsigned size, uint64_t value)
{
    for (unsigned k = 0; k < 8 * size; k++) {
        uint32_t literal;
        if (input_bit(q->u->properties, (uint32_t)(8 * i) + k / 8, k % 8, &literal))
            question_implies(q, if_so, value >> k & 1 ? literal : literal ^ 1);
    }
}

static struct value_class *class_of(struct question *q, uint64_t value)
{
    struct unfold_properties *p = q->u->properties;
    struct htable_entry *at = htable_find(&p->value_of, value);
    if (htable_has(&p->value_of, at))
        return &p->values[at->value];
    if (p->value_count == VALUES || !htable_put(&p->value_of, at, value, p->value_count))
        return NULL;
    struct value_class *v = &p->values[p->value_count++];
    v->value = value;
    v->literal = v->open = cdcl_input(q->s, false);
    return v;
}

/* One more condition that has the value: if none before it is there, this one is or one behind it. */
static void state_there(struct question *q, const struct net_condition *c, struct value_class *v)
{
    uint32_t there = cdcl_var(q->s, false), rest = cdcl_var(q->s, false);
    if (net_maker(c))
        question_implies(q, there, net_maker(c)->literal);
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
        question_implies(q, there, net_maker(below)->literal ^ 1);
    question_add(q, v->open ^ 1);
    question_add(q, there);
    question_add(q, rest);
    question_clause(q);
    v->open = rest;
}

/* The tree of conditions below c: of the bytes of op the values; false: one is not known. */
static bool note_values(struct question *q, const struct net_condition *c, const struct property_op *op,
                        uint64_t before)
{
    unsigned at = op->value & 7, size = op->width / 8u, bytes = ((1u << size) - 1) << at;
    ensure(size && size <= 8);
    uint64_t value = c->value >> 8 * at;
    if (!net_maker(c) && (c->valued & bytes) != bytes)
        value = before;
    else if ((c->valued & bytes) != bytes)
        return false;
    struct value_class *v = class_of(q, size < 8 ? value & ((1ull << 8 * size) - 1) : value);
    q->too_wide |= !v;
    if (v && q->u->properties->states)
        state_there(q, c, v);
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
        if (!note_values(q, below, op, before))
            return false;
    return true;
}

/* The variable of leaf i has one of the values noted. */
static void state_values(struct question *q, int i, unsigned size)
{
    struct unfold_properties *p = q->u->properties;
    for (uint32_t k = 0; k < p->value_count; k++) {
        state_value(q, p->values[k].literal, i, size, p->values[k].value);
        if (p->states)
            question_implies(q, p->values[k].open, SAT_FALSE);
    }
    for (uint32_t k = 0; k < p->value_count; k++)
        question_add(q, p->values[k].literal);
    question_clause(q);
}

static const char *state_variable(struct question *q, struct engine *e, const struct property_op *op, int i)
{
    uint32_t size = op->width / 8u;
    uint64_t first = e->initial ? e->initial(op->value, size) : 0, word = parts_word(op->value);
    struct net *n = &q->u->net;
    struct unfold_properties *p = q->u->properties;
    const struct net_condition *root = NULL;
    bool alone = net_has_object(n, op->value, size), whole = parts_whole(&q->u->parts, word);
    if (alone && !whole)
        root = n->slots[net_object_slot(n, op->value, size)].root;
    else if (whole && net_has_object(n, word, 8))
        root = n->slots[net_object_slot(n, word, 8)].root;
    if (!root) {
        state_value(q, SAT_TRUE, i, size, first);
        return NULL;
    }
    p->value_count = 0;
    htable_clear(&p->value_of);
    if (!note_values(q, root, op, first))
        return "a property asks for a variable of which not every value is known";
    state_values(q, i, size);
    return NULL;
}

static bool stands_there(const struct unfold *u, const struct net_condition *c, const struct property_op *op)
{
    uint64_t thread = u->net.slots[c->slot].object;
    if (op->value != PROPERTY_ANYBODY && op->value != (thread ? u->start[thread] : PROPERTY_MAIN))
        return false;
    for (const struct net_want *w = net_wants(c); w; w = w->next)
        if (w->op.pc - 1 >= op->low && w->op.pc - 1 < op->high)
            return true;
    return false;
}

/* The bit of leaf i: some thread stands at a condition before an operation there. */
static void state_place(struct question *q, const struct property_op *op, int i)
{
    struct net *n = &q->u->net;
    uint32_t bit;
    if (!input_bit(q->u->properties, (uint32_t)(8 * i), 0, &bit))
        return;
    uint32_t count = 0;
    for (uint32_t k = 0; k <= n->performed_count; k++) {
        struct net_condition *c = k ? net_performed(n, k - 1)->to : n->slots[n->thread_slot[0]].root;
        uint32_t s;
        if (!stands_there(q->u, c, op))
            continue;
        s = cdcl_var(q->s, false);
        if (net_maker(c))
            cdcl_clause(q->s, (uint32_t[]){s ^ 1, net_maker(c)->literal}, 2);
        for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
            cdcl_clause(q->s, (uint32_t[]){s ^ 1, net_maker(below)->literal ^ 1}, 2);
        q->n = count;
        question_add(q, s);
        count = q->n;
    }
    q->n = count;
    question_add(q, bit ^ 1);
    question_clause(q);
}

/* ---- asking --------------------------------------------------------------------------------------- */

static const char *ask(struct question *q, struct engine *e, int k)
{
    struct unfold_properties *p = q->u->properties;
    ensure(k >= 0 && k < p->all.count);
    uint32_t condition = expression_of(p, k);
    const char *why = NULL;
    q->s = &p->blast.sat;
    if (!condition || !blast_state(&p->blast, &condition, 1, p->bytes))
        return "a property is too large for the solver";
    if (p->states)
        question_states(q);
    for (int i = p->all.first[k]; i < p->all.first[k + 1] && !why; i++) {
        const struct property_op *op = &p->all.ops[i];
        if (property_operands(op->kind) || same_leaf(p, k, i) < i)
            continue;
        if (op->kind == PROPERTY_LOAD)
            why = state_variable(q, e, op, i);
        else if (op->kind == PROPERTY_AT && p->states)
            state_place(q, op, i);
    }
    return why;
}

static enum answer answer_of(struct engine *e, int k, const char **why)
{
    struct unfold *u = e->state;
    struct question q;
    enum answer answer = ANSWER_UNKNOWN;
    bool again = true;
    *why = "it could not be decided whether a property holds in a state that no execution has shown";
    if (question_begin(&q, u))
        return ANSWER_UNKNOWN;
    u->properties->states = false;
    while (again) {
        const char *cannot = ask(&q, e, k);
        if (cannot) {
            *why = cannot;
            return ANSWER_UNKNOWN;
        }
        if (u->properties->states)
            answer = question_answer(&q, &again);
        else if (!q.too_wide && cdcl_solve(q.s, VALUES) == ANSWER_NO)
            return ANSWER_NO;
        u->properties->states = true;
    }
    return answer;
}

static bool is_deadlock(const struct unfold_properties *p, int k)
{
    return p->all.ops[p->all.first[k]].kind == PROPERTY_DEADLOCK;
}

bool unfold_property(struct engine *e)
{
    struct unfold *u = e->state;
    struct unfold_properties *p = u->properties;
    const char *why;
    if (!p)
        return false;
    if (!p->ready) {
        p->values = arena_alloc(e->arena, VALUES * sizeof *p->values);
        if (!p->values || htable_init(&p->value_of, e->arena, 2 * VALUES) ||
            exprs_init(&p->exprs, e->arena, EXPRESSIONS) || blast_init(&p->blast, &p->exprs, e->arena)) {
            e->incomplete = "there was no memory to decide whether a property holds";
            return false;
        }
        p->ready = true;
    }
    for (; p->next < p->all.count; p->next++) {
        if (is_deadlock(p, p->next))
            continue;
        enum answer answer = u->inputs ? ANSWER_UNKNOWN : answer_of(e, p->next, &why);
        if (u->inputs)
            why = "properties are asked for in what was executed alone: variables depend on inputs";
        if (answer == ANSWER_UNKNOWN)
            e->incomplete = why;
        if (answer != ANSWER_YES)
            continue;
        p->next++; /* the runtime tells when it is executed */
        return true;
    }
    return false;
}
