/* Inside the decoder: how far it is in an instruction, and what operands mean. */
#ifndef RT_DECODE_IMPL_H
#define RT_DECODE_IMPL_H

#include "rt/code/decode.h"

#pragma GCC visibility push(hidden)

enum how { READ = 1, WRITE = 2, UPDATE = 3 };

struct cursor {
    const uint8_t *p, *end;
    uint8_t rex, mode, reg, rm; /* of the ModRM byte, extended */
    bool has_rex, small, rep;   /* small: 16-bit operands; rep: F2 or F3 */
    bool fits;
    struct instruction *i;
};

uint8_t cursor_byte(struct cursor *c);
int64_t cursor_number(struct cursor *c, unsigned size);
void cursor_use(struct cursor *c, unsigned reg, unsigned size, enum how how);
void cursor_modrm(struct cursor *c);
void cursor_operand(struct cursor *c, unsigned size, enum how how);
unsigned cursor_word(const struct cursor *c);
unsigned cursor_immediate(const struct cursor *c);
void cursor_relative(struct cursor *c, enum flow flow, unsigned size);
void cursor_exchange(struct cursor *c, unsigned size);
void cursor_computes(struct cursor *c, enum flags flags);
/* The operand that ModRM names. */
unsigned cursor_named(const struct cursor *c);
void cursor_sum(struct cursor *c, enum sum_kind kind, unsigned to, unsigned by, unsigned width);
void cursor_sum_number(struct cursor *c, enum sum_kind kind, unsigned to, int64_t number, unsigned width);
void cursor_with_constant(struct cursor *c, unsigned size, enum how how, unsigned constant);

/* The rest of an instruction whose opcode is `op`, or 0F and `op`; false: it is not known. */
bool decode_one(struct cursor *c, uint8_t op);
bool decode_two(struct cursor *c, uint8_t op);

#pragma GCC visibility pop

#endif
