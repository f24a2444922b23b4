/* Inputs of the program. The k-th input of a thread is the same one in every interleaving; its bytes are
 * what expressions are made of. In a replay, and wherever inputs are given, they have the values that
 * config.inputs says: one line for each, THREAD.INDEX TYPE VALUE NAME, with a type of s1, s2, s4, s8,
 * u1 … u8 (decimal), bytes or text (hexadecimal). */
#include "rt/sym/sym.h"

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"

#include "rewrite/hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t counts[EVENT_MAX_THREADS]; /* inputs so far, of each thread */
static bool counted;

void sym_inputs_reset(void)
{
    if (counted)
        rt_fill(counts, 0, sizeof counts);
    counted = false;
    sym_text_reset();
    if (rt.shared->config.inputs[0]) /* given: findings are kept with them */
        rt_copy(rt.shared->inputs_now, rt.shared->config.inputs, sizeof rt.shared->inputs_now);
}

static uint32_t next_index(void)
{
    counted = true;
    return counts[rt.current]++;
}

static bool same_input(const struct sym_input *a, const struct sym_input *b)
{
    return a->thread == b->thread && a->index == b->index && a->size == b->size && a->low == b->low &&
           a->high == b->high && a->is_signed == b->is_signed && a->is_text == b->is_text &&
           a->is_bytes == b->is_bytes;
}

static bool holds_zero(const struct sym_input *in)
{
    return in->is_signed ? (int64_t)in->low <= 0 && (int64_t)in->high >= 0 : in->low == 0;
}

/* Its record, made at its first use: 0, or the lowest value it may have. */
static struct sym_input *record(const struct sym_input *wanted)
{
    for (uint32_t i = 0; i < sym->input_count; i++)
        if (same_input(&sym->inputs[i], wanted)) {
            sym->inputs[i].used = sym->execution;
            return &sym->inputs[i];
        }
    if (sym->input_count == SYM_INPUTS || wanted->size > EXPR_INPUTS - sym->byte_count) {
        finding_incomplete("more than %u inputs or %u bytes of them", SYM_INPUTS, EXPR_INPUTS);
        return NULL;
    }
    struct sym_input *in = &sym->inputs[sym->input_count++];
    *in = *wanted;
    in->used = sym->execution;
    in->first = sym->byte_count;
    sym->byte_count += in->size;
    for (uint32_t i = 0; i < in->size && i < 8; i++)
        sym->bytes[in->first + i] = sym->aside.bytes[in->first + i] =
            holds_zero(in) || in->is_bytes ? 0 : (uint8_t)(in->low >> 8 * i);
    return in;
}

uint64_t sym_input_value(const struct sym_input *in, const uint8_t *bytes)
{
    uint64_t v = 0;
    for (uint32_t i = in->size; i-- > 0;)
        v = v << 8 | bytes[in->first + i];
    return in->is_signed ? (uint64_t)expr_signed(v, 8 * in->size) : v;
}

uint32_t sym_input_expression(const struct sym_input *in)
{
    struct exprs *x = &sym->solver.x;
    uint32_t e = expr_input(x, in->first);
    for (uint32_t i = 1; i < in->size; i++)
        e = expr_concat(x, expr_input(x, in->first + i), e);
    return e;
}

/* The line of an input in the text: where its value begins, or NULL. */
static const char *given_line(uint32_t thread, uint32_t index)
{
    char begin[32];
    rt_format(begin, sizeof begin, "%u.%u ", thread, index);
    size_t n = strlen(begin);
    for (const char *p = rt.shared->config.inputs; *p;) {
        if (!strncmp(p, begin, n)) {
            p += n;
            return p + strcspn(p, " ") + 1;
        }
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return NULL;
}

static unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10) & 15;
}

/* ---- what the program calls ------------------------------------------------------------------------- */

int raddle_rt_explores(void);
RT_EXPORT int raddle_rt_explores(void)
{
    return rt.active;
}

static void name_input(struct sym_input *in, const char *name)
{
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof in->name; n++)
        in->name[n] = name[n] > ' ' ? name[n] : '_';
    in->name[n] = 0;
}

/* Neither symbolic nor given: the program was not built for it. */
static void not_symbolic(void)
{
    if (rt.shared->config.inputs[0])
        finding_incomplete("an input is not among those of the schedule file");
    else
        finding_incomplete("inputs were 0 or their lowest value: build with raddle cc --symbolic to "
                           "explore them, or give --inputs or --nondet");
}

static bool in_range(const struct sym_input *in, uint64_t v)
{
    return in->is_signed ? (int64_t)v >= (int64_t)in->low && (int64_t)v <= (int64_t)in->high
                         : v >= in->low && v <= in->high;
}

/* The values of --nondet that are in the input's range, both of 0 and 1 in any case; all are tried. */
static uint64_t tried_value(const struct sym_input *in, uint64_t lowest, uint64_t pc)
{
    const struct run_config *c = &rt.shared->config;
    int64_t low = c->nondet_low, high = c->nondet_high;
    if (in->low == 0 && in->high == 1) {
        low = 0;
        high = 1;
    }
    while (low <= high && !in_range(in, (uint64_t)low))
        low++;
    while (low <= high && !in_range(in, (uint64_t)high))
        high--;
    if (low > high || (uint64_t)low != in->low || (uint64_t)high != in->high)
        finding_incomplete("inputs outside of --nondet %d..%d were not tried", c->nondet_low,
                           c->nondet_high);
    return low > high ? lowest : (uint64_t)(low + sched_choose((int)(high - low) + 1, pc));
}

/* In a program that was not built for it: what --inputs or --nondet says. */
static uint64_t plain_value(const struct sym_input *in, uint64_t lowest, uint64_t pc)
{
    char variable[sizeof in->name + 16], *end;
    rt_format(variable, sizeof variable, "RADDLE_PARAM_%s", in->name);
    const char *parameter = getenv(variable);
    if (parameter && !rt.shared->config.inputs[0]) {
        uint64_t v = in->is_signed ? (uint64_t)strtoll(parameter, &end, 0) : strtoull(parameter, &end, 0);
        if (!*end && end != parameter && in_range(in, v))
            return v;
        finding_incomplete("--inputs gives %s a value that is none of the input's", in->name);
        return lowest;
    }
    if (rt.shared->config.nondet && !rt.shared->config.inputs[0])
        return tried_value(in, lowest, pc);
    not_symbolic();
    return lowest;
}

static void make_expressions(struct sym_input *in)
{
    struct exprs *x = &sym->solver.x;
    unsigned width = 8 * in->size;
    enum expr_op less = in->is_signed ? OP_SLT : OP_ULT;
    uint32_t e = in->expression = sym_input_expression(in);
    in->not_below = expr_not(x, expr_binary(x, less, e, expr_const(x, in->low, width)));
    in->not_above = expr_not(x, expr_binary(x, less, expr_const(x, in->high, width), e));
}

const struct sym_input *sym_input_known(const struct sym_input *wanted)
{
    struct sym_input *in = record(wanted);
    if (in && !in->is_bytes && !in->expression)
        make_expressions(in);
    return in;
}

/* As wide as it is used: nearly always the same. */
static uint32_t result_of(struct sym_input *in, unsigned width)
{
    struct exprs *x = &sym->solver.x;
    if (in->width == width && in->result)
        return in->result;
    in->width = width;
    in->result = width <= 8 * in->size ? expr_extract(x, in->expression, 0, width)
                                       : expr_extend(x, in->expression, width, in->is_signed);
    return in->result;
}

uint32_t sym_ranges(uint32_t *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sym->input_count; i++) {
        const struct sym_input *in = &sym->inputs[i];
        if (in->is_bytes)
            continue;
        if (sym_shadow(in->not_below))
            to[n++] = in->not_below;
        if (sym_shadow(in->not_above))
            to[n++] = in->not_above;
    }
    return n;
}

/* No more bytes than the range needs: fewer for the solver to think about. */
static void narrow(struct sym_input *in)
{
    in->type_size = (uint8_t)in->size;
    if (in->is_signed && (int64_t)in->low >= 0)
        in->is_signed = 0;
    for (uint32_t size = 1; size < in->size; size *= 2) {
        unsigned width = 8 * size;
        bool fits = in->is_signed ? expr_signed(in->low & expr_ones(width), width) == (int64_t)in->low &&
                                        expr_signed(in->high & expr_ones(width), width) ==
                                            (int64_t)in->high
                                  : in->high <= expr_ones(width);
        if (fits)
            in->size = size;
    }
}

static uint64_t input_value(struct sym_input *wanted, unsigned width, uint64_t pc)
{
    uint64_t lowest = holds_zero(wanted) ? 0 : wanted->low;
    narrow(wanted);
    wanted->thread = (uint16_t)rt.current;
    wanted->index = next_index();
    uint64_t value = lowest;
    if (!sym_explores()) {
        const char *given = given_line(wanted->thread, wanted->index);
        value = given ? strtoull(given, NULL, 10) : plain_value(wanted, lowest, pc);
    }
    struct sym_input *in = sym ? record(wanted) : NULL;
    if (!in)
        return value;
    for (uint32_t i = 0; i < in->size && !sym_explores(); i++)
        sym->bytes[in->first + i] = (uint8_t)(value >> 8 * i);
    if (!in->expression)
        make_expressions(in);
    sym_hold(in->not_below, pc);
    sym_hold(in->not_above, pc);
    sym_text_add(in);
    raddle_sym_returned = 1;
    raddle_sym_result = result_of(in, width);
    return sym_input_value(in, sym->bytes);
}

uint64_t raddle_rt_input_value(const char *name, uint64_t low, uint64_t high, unsigned size,
                               int is_signed);
RT_EXPORT uint64_t raddle_rt_input_value(const char *name, uint64_t low, uint64_t high, unsigned size,
                                         int is_signed)
{
    struct sym_input in = {.size = size, .is_signed = is_signed != 0, .low = low, .high = high};
    name_input(&in, name);
    return rt.active ? input_value(&in, 64, RT_PC()) : 0;
}

/* For __VERIFIER_nondet_*: any value of the type; bool has one bit. */
uint64_t sym_any_value(const char *name, unsigned size, bool is_signed, bool boolean, uint64_t pc)
{
    struct sym_input in = {.size = (uint8_t)size, .is_signed = is_signed,
                           .high = boolean ? 1 : expr_ones(8 * size)};
    if (is_signed) {
        in.low = ~expr_ones(8 * size - 1);
        in.high = expr_ones(8 * size - 1);
    }
    name_input(&in, name);
    return input_value(&in, boolean ? 1 : 8 * size, pc);
}

uint64_t sym_number_of(const char *name, uint64_t low, uint64_t high)
{
    struct sym_input in = {.size = 8, .low = low, .high = high};
    name_input(&in, name);
    uint64_t value = input_value(&in, 64, RT_PC());
    uint32_t shadow = raddle_sym_returned == 1 ? raddle_sym_take_result(1) : 0;
    if (sym && shadow)
        sym_concretise(shadow, value, RT_PC());
    return value;
}

static void give_bytes(uint8_t *to, const struct sym_input *in)
{
    for (uint32_t i = 0; i < in->size; i++) {
        to[i] = sym->bytes[in->first + i];
        sym_set_bytes((uintptr_t)to + i, 1, expr_input(&sym->solver.x, in->first + i));
    }
    sym_text_add(in);
}

static void give_line(uint8_t *to, size_t size, const char *hex)
{
    for (size_t i = 0; i < size; i++) {
        bool there = hex && hex[0] > ' ' && hex[1] > ' ';
        to[i] = there ? (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1])) : 0;
        hex += there ? 2 : 0;
    }
}

void sym_input_bytes(void *to, size_t size, const char *name, bool text, uint64_t pc)
{
    struct sym_input wanted = {.is_bytes = 1, .is_text = text, .size = (uint32_t)(size - text)};
    uint8_t *at = to;
    if (!rt.active || !size)
        return;
    wanted.thread = (uint16_t)rt.current;
    wanted.index = next_index();
    name_input(&wanted, name);
    access_range((uintptr_t)to, size, true, pc);
    if (text)
        at[size - 1] = 0;
    struct sym_input *in = sym ? record(&wanted) : NULL;
    if (!sym_explores()) {
        const char *given = given_line(wanted.thread, wanted.index);
        if (!given)
            not_symbolic();
        give_line(in ? &sym->bytes[in->first] : at, wanted.size, given);
    }
    if (in)
        give_bytes(at, in);
}

void raddle_rt_input_bytes(void *to, size_t size, const char *name, int text);
RT_EXPORT void raddle_rt_input_bytes(void *to, size_t size, const char *name, int text)
{
    sym_input_bytes(to, size, name, text != 0, RT_PC());
}

/* ---- the simplest inputs that lead along the same path ------------------------------------------------ */

/* Fixes one bit after the other to 0 where that is possible, of a negative number to 1: the value that is
 * nearest to 0. */
static void shrink_bits(uint32_t e, bool is_signed, uint32_t *count)
{
    struct exprs *x = &sym->solver.x;
    unsigned width = expr_at(x, e)->width;
    bool ones = false;
    for (unsigned i = width; i-- > 0 && *count + 1 < SYM_CONDITIONS;) {
        uint32_t bit = expr_extract(x, e, i, 1), wanted = ones ? bit : expr_not(x, bit);
        if (!sym_shadow(wanted))
            continue;
        bool holds = expr_eval(x, wanted, sym->trial, EXPR_INPUTS);
        if (!holds)
            holds = solver_ask(&sym->solver, sym->held, *count, wanted, sym->trial) == ANSWER_YES;
        uint32_t kept = holds ? wanted : expr_not(x, wanted);
        if (kept && expr_eval(x, kept, sym->trial, EXPR_INPUTS))
            sym->held[(*count)++] = kept;
        ones |= is_signed && i + 1 == width && !holds;
    }
}

/* A letter, if it can be one, else something that prints. */
static void prefer_printable(uint32_t e, uint32_t *count)
{
    static const uint8_t ranges[][2] = {{'a', 'z'}, {' ', '~'}};
    struct exprs *x = &sym->solver.x;
    for (int i = 0; i < 2; i++) {
        uint32_t below = expr_not(x, expr_binary(x, OP_ULT, e, expr_const(x, ranges[i][0], 8)));
        uint32_t above = expr_not(x, expr_binary(x, OP_ULT, expr_const(x, ranges[i][1], 8), e));
        uint32_t both = below && above ? expr_binary(x, OP_AND, below, above) : 0;
        if (both && *count + 1 < SYM_CONDITIONS &&
            solver_ask(&sym->solver, sym->held, *count, both, sym->trial) == ANSWER_YES) {
            sym->held[(*count)++] = both;
            return;
        }
    }
}

static void shrink_input(const struct sym_input *in, uint32_t *count)
{
    if (!in->is_bytes) {
        shrink_bits(sym_input_expression(in), in->is_signed, count);
        return;
    }
    for (uint32_t i = 0; i < in->size; i++) {
        uint32_t e = expr_input(&sym->solver.x, in->first + i);
        if (in->is_text && sym->trial[in->first + i])
            prefer_printable(e, count);
        shrink_bits(e, false, count);
    }
}

void sym_tell_inputs(void)
{
    struct shared *s = rt.shared;
    if (!sym_explores())
        return;
    uint32_t count = sym->path_count, first = sym->told;
    sym->told = s->finding_count;
    if (first >= s->finding_count)
        return;
    rt_copy(sym->trial, sym->bytes, EXPR_INPUTS);
    for (uint32_t i = 0; i < sym->input_count; i++)
        if (sym->inputs[i].used == sym->execution)
            shrink_input(&sym->inputs[i], &count);
    for (uint32_t i = first; i < s->finding_count; i++)
        sym_format_inputs(sym->trial, s->finding_inputs[i], sizeof s->finding_inputs[i]);
}
