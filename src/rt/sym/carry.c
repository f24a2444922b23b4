/* Conditions that go to another worker with a part of the search (engine_class.suits), where expressions and
 * bytes of inputs have other numbers:
 *
 *   inputs      how many, and each: what it is, its name, the bytes that it has now
 *   expressions all that the conditions are made of, operands first: how many, and each: operation, width,
 *               constant, byte of an input (by its place above) or operands (by theirs in this list)
 *   conditions  their places in that list */
#include "rt/sym/sym.h"

#include "trace/work.h"

static uint16_t here[SYM_INPUTS]; /* by its place in the list: which of our inputs it is */

static void put_input(struct work *w, const struct sym_input *in)
{
    work_put(w, in->thread);
    work_put(w, in->index);
    work_put(w, in->is_signed | in->is_text << 1 | in->is_bytes << 2);
    work_put(w, in->type_size);
    work_put(w, in->size);
    work_put(w, in->low);
    work_put(w, in->high);
    for (size_t i = 0; i < sizeof in->name; i++) {
        work_put(w, (uint8_t)in->name[i]);
        if (!in->name[i])
            break;
    }
    for (uint32_t i = 0; i < in->size; i++)
        work_put(w, sym->bytes[in->first + i]);
}

static int get_input(struct work *w, uint16_t *number)
{
    struct sym_input wanted = {.thread = (uint16_t)work_get(w), .index = (uint32_t)work_get(w)};
    uint64_t kind = work_get(w);
    wanted.is_signed = kind & 1;
    wanted.is_text = kind >> 1 & 1;
    wanted.is_bytes = kind >> 2 & 1;
    wanted.type_size = (uint8_t)work_get(w);
    wanted.size = (uint32_t)work_get(w);
    wanted.low = work_get(w);
    wanted.high = work_get(w);
    for (size_t i = 0; i + 1 < sizeof wanted.name && (wanted.name[i] = (char)work_get(w)); i++)
        ;
    if (w->failed || wanted.thread >= EVENT_MAX_THREADS || (!wanted.is_bytes && wanted.size - 1 > 7))
        return -1;
    const struct sym_input *in = sym_input_known(&wanted);
    for (uint32_t i = 0; in && i < in->size; i++)
        sym->bytes[in->first + i] = (uint8_t)work_get(w);
    if (in)
        *number = (uint16_t)(in - sym->inputs);
    return in && !w->failed ? 0 : -1;
}

/* ---- expressions ----------------------------------------------------------------------------------- */

/* The list is in ascending order. */
static uint32_t place_of(const uint32_t *list, uint32_t n, uint32_t e)
{
    uint32_t low = 0;
    while (n > 1) {
        uint32_t half = n / 2;
        low += list[low + half] <= e ? half : 0;
        n -= half;
    }
    return low;
}

static const struct sym_input *input_of(uint32_t byte)
{
    const struct sym_input *in = sym->inputs;
    while (byte - in->first >= in->size)
        in++;
    return in;
}

static void put_expression(struct work *w, const struct expr *n, const uint32_t *list, uint32_t count)
{
    uint32_t operands[3];
    work_put(w, n->op);
    work_put(w, n->width);
    if (n->op == OP_CONST)
        work_put(w, n->value);
    if (n->op == OP_INPUT) {
        const struct sym_input *in = input_of(n->a);
        work_put(w, (uint64_t)(in - sym->inputs));
        work_put(w, n->a - in->first);
    }
    if (n->op == OP_EXTRACT)
        work_put(w, n->c);
    unsigned k = n->op > OP_INPUT ? expr_operands(n, operands) : 0;
    work_put(w, k);
    for (unsigned i = 0; i < k; i++)
        work_put(w, place_of(list, count, operands[i]));
}

static uint32_t get_byte(struct work *w)
{
    uint64_t place = work_get(w), at = work_get(w);
    const struct sym_input *in = place < SYM_INPUTS ? &sym->inputs[here[place]] : NULL;
    return in && at < in->size ? expr_input(&sym->solver.x, in->first + (uint32_t)at) : 0;
}

/* 0: it is not well-formed, or there is no room. */
static uint32_t get_expression(struct work *w, const uint32_t *known, uint32_t count)
{
    struct exprs *x = &sym->solver.x;
    uint64_t op = work_get(w), width = work_get(w), value = 0, k;
    uint32_t from[3] = {0}, byte = 0;
    if (op >= EXPR_OPS || width - 1 > 63)
        return 0;
    if (op == OP_CONST || op == OP_EXTRACT)
        value = work_get(w);
    if (op == OP_INPUT)
        byte = get_byte(w);
    k = work_get(w);
    for (uint64_t i = 0; i < k && i < 3 && !w->failed; i++) {
        uint64_t place = work_get(w);
        if (place >= count || !known[place])
            return 0;
        from[i] = known[place];
    }
    switch (op) {
    case OP_CONST:
        return expr_const(x, value, (unsigned)width);
    case OP_INPUT:
        return byte;
    case OP_ZEXT:
    case OP_SEXT:
        return k == 1 ? expr_extend(x, from[0], (unsigned)width, op == OP_SEXT) : 0;
    case OP_EXTRACT:
        return k == 1 && value < 64 ? expr_extract(x, from[0], (unsigned)value, (unsigned)width) : 0;
    case OP_CONCAT:
        return k == 2 ? expr_concat(x, from[0], from[1]) : 0;
    case OP_ITE:
        return k == 3 ? expr_ite(x, from[0], from[1], from[2]) : 0;
    default:
        return k == 2 ? expr_binary(x, (enum expr_op)op, from[0], from[1]) : 0;
    }
}

/* ---- the whole ------------------------------------------------------------------------------------- */

void sym_put_conditions(struct work *w, const uint32_t *conditions, uint32_t count)
{
    const uint32_t *list;
    work_put(w, sym->input_count);
    for (uint32_t i = 0; i < sym->input_count; i++)
        put_input(w, &sym->inputs[i]);
    uint32_t n = expr_walk(&sym->solver.x, conditions, count, &list);
    work_put(w, n);
    for (uint32_t i = 0; i < n; i++)
        put_expression(w, expr_at(&sym->solver.x, list[i]), list, n);
    for (uint32_t i = 0; i < count; i++)
        work_put(w, place_of(list, n, conditions[i]));
}

int sym_get_conditions(struct work *w, uint32_t *conditions, uint32_t count)
{
    uint64_t n = work_get(w);
    for (uint64_t i = 0; i < n; i++)
        if (i == SYM_INPUTS || get_input(w, &here[i]))
            return -1;
    n = work_get(w);
    if (w->failed || n > SYM_CONDITIONS)
        return -1;
    for (uint32_t i = 0; i < n; i++)
        if (!(sym->own[i] = get_expression(w, sym->own, i)))
            return -1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = work_get(w);
        if (w->failed || place >= n)
            return -1;
        conditions[i] = sym->own[place];
    }
    return 0;
}
