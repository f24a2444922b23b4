#include "trace/property.h"

#include "base/ensure.h"

#include <stdio.h>
#include <stdlib.h>

void property_write(const struct property_op *op, char *out, int room)
{
    snprintf(out, (size_t)room, "%u.%u.%d.%llx.%llx.%llx ", op->kind, op->width, op->is_signed,
             (unsigned long long)op->value, (unsigned long long)op->low, (unsigned long long)op->high);
}

static uint64_t number(const char **at, int base)
{
    char *end;
    uint64_t v = strtoull(*at, &end, base);
    *at = *end == '.' ? end + 1 : end;
    return v;
}

int property_read(struct properties *p, const char *compiled)
{
    int ops = 0;
    *p = (struct properties){.count = 0};
    while (*compiled) {
        if (*compiled == ';') {
            p->first[++p->count] = ops;
            compiled++;
            if (p->count == PROPERTIES)
                return *compiled ? -1 : 0;
            continue;
        }
        if (ops == PROPERTY_OPS)
            return -1;
        struct property_op *op = &p->ops[ops++];
        op->kind = (uint8_t)number(&compiled, 10);
        op->width = (uint8_t)number(&compiled, 10);
        op->is_signed = number(&compiled, 10);
        op->value = number(&compiled, 16);
        op->low = number(&compiled, 16);
        op->high = number(&compiled, 16);
        if (*compiled != ' ' || op->kind > PROPERTY_MOD)
            return -1;
        compiled++;
    }
    return 0;
}

static uint64_t divided(uint64_t a, uint64_t b, bool is_signed, bool rest)
{
    if (!b)
        return 0; /* the host lets nothing be divided by a variable */
    if (is_signed && b == ~0ull)
        return rest ? 0 : 0 - a;
    if (is_signed)
        return rest ? (uint64_t)((int64_t)a % (int64_t)b) : (uint64_t)((int64_t)a / (int64_t)b);
    return rest ? a % b : a / b;
}

static uint64_t computed(const struct property_op *op, uint64_t a, uint64_t b)
{
    bool less = op->is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (op->kind) {
    case PROPERTY_OR: return a || b;
    case PROPERTY_AND: return a && b;
    case PROPERTY_NOT: return !a;
    case PROPERTY_BIT_OR: return a | b;
    case PROPERTY_BIT_XOR: return a ^ b;
    case PROPERTY_BIT_AND: return a & b;
    case PROPERTY_COMPLEMENT: return ~a;
    case PROPERTY_NEGATE: return 0 - a;
    case PROPERTY_EQ: return a == b;
    case PROPERTY_NE: return a != b;
    case PROPERTY_LT: return less;
    case PROPERTY_GE: return !less;
    case PROPERTY_LE: return less || a == b;
    case PROPERTY_GT: return !less && a != b;
    case PROPERTY_SHL: return b < op->width ? a << b : 0;
    case PROPERTY_SHR: return b >= op->width ? 0 : op->is_signed ? (uint64_t)((int64_t)a >> b) : a >> b;
    case PROPERTY_ADD: return a + b;
    case PROPERTY_SUB: return a - b;
    case PROPERTY_MUL: return a * b;
    case PROPERTY_DIV:
    case PROPERTY_MOD: return divided(a, b, op->is_signed, op->kind == PROPERTY_MOD);
    default: return 0;
    }
}

uint64_t property_eval(const struct properties *p, int k,
                       uint64_t (*leaf)(void *context, const struct property_op *op), void *context)
{
    uint64_t stack[PROPERTY_OPS];
    int n = 0;
    for (int i = p->first[k]; i < p->first[k + 1]; i++) {
        const struct property_op *op = &p->ops[i];
        int operands = property_operands(op->kind);
        ensure(n >= operands);
        uint64_t a = operands ? stack[n - operands] : 0, b = operands > 1 ? stack[n - 1] : 0, v;
        a = property_value(a, op->width, op->is_signed);
        b = property_value(b, op->width, op->is_signed);
        v = operands ? computed(op, a, b) : op->kind == PROPERTY_CONST ? op->value : leaf(context, op);
        n -= operands;
        stack[n++] = property_value(v, op->width, op->is_signed);
    }
    return n == 1 && stack[0];
}
