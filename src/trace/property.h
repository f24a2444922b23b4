/* Questions about global states (--property): expressions over the program's variables and where its
 * threads stand. The host compiles them (host/property.h) to postfix operations, as a text that the
 * configuration of a worker carries; the runtime computes them at every decision, the unfolding engines
 * look for a state in which they hold. */
#ifndef TRACE_PROPERTY_H
#define TRACE_PROPERTY_H

#include <stdbool.h>
#include <stdint.h>

enum property_op_kind {
    PROPERTY_CONST, /* value */
    PROPERTY_LOAD,  /* the variable at address value */
    PROPERTY_AT,    /* a thread that began in function value stands before an operation in [low, high) */
    PROPERTY_DEADLOCK,
    /* Operators; of both operands the lowest `width` bits count. */
    PROPERTY_OR, PROPERTY_AND, PROPERTY_NOT,
    PROPERTY_BIT_OR, PROPERTY_BIT_XOR, PROPERTY_BIT_AND, PROPERTY_COMPLEMENT, PROPERTY_NEGATE,
    PROPERTY_EQ, PROPERTY_NE, PROPERTY_LT, PROPERTY_LE, PROPERTY_GT, PROPERTY_GE,
    PROPERTY_SHL, PROPERTY_SHR, PROPERTY_ADD, PROPERTY_SUB, PROPERTY_MUL, PROPERTY_DIV, PROPERTY_MOD,
};

enum { PROPERTY_OPS = 256, PROPERTIES = 16, PROPERTY_MAIN = 0, PROPERTY_ANYBODY = 1 };

struct property_op {
    uint8_t kind, width;
    bool is_signed;
    uint64_t value, low, high;
};

struct properties {
    struct property_op ops[PROPERTY_OPS];
    int first[PROPERTIES + 1]; /* property k: ops[first[k] .. first[k + 1]) */
    int count;
};

/* One operation as text, and all of them back: -1 if that is no such text or there are too many. */
void property_write(const struct property_op *op, char *out, int room);
int property_read(struct properties *p, const char *compiled);

/* Operands that it has. */
static inline int property_operands(unsigned kind)
{
    return kind < PROPERTY_OR ? 0
           : kind == PROPERTY_NOT || kind == PROPERTY_COMPLEMENT || kind == PROPERTY_NEGATE ? 1 : 2;
}

/* The value as that of a type. */
static inline uint64_t property_value(uint64_t v, unsigned width, bool is_signed)
{
    return width >= 64 ? v : is_signed ? (uint64_t)((int64_t)(v << (64 - width)) >> (64 - width))
                                       : v & ((1ull << width) - 1);
}

/* The value of property k; leaf gives those of the first kinds. */
uint64_t property_eval(const struct properties *p, int k,
                       uint64_t (*leaf)(void *context, const struct property_op *op), void *context);

#endif
