/* Opcodes of two bytes, the first of which is 0F: the second table of the manual. */
#include "rt/code/decode_impl.h"

#include <string.h>

/* Vector registers do not survive a call, so only memory and the general registers count. Which of these
 * a vector instruction writes wholly is not asked: it reads them. */
static bool vector(struct cursor *c, uint8_t op)
{
    cursor_modrm(c);
    bool to_memory = op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b || op == 0x7f ||
                     op == 0xd6 || op == 0xe7 || (op == 0x7e && !c->rep);
    if (c->mode != 3) {
        c->i->loads = !to_memory;
        c->i->stores = to_memory;
    }
    if ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6)) /* a constant follows */
        cursor_number(c, 1);
    if (op == 0x6e || op == 0x2a || op == 0xc4) { /* from a general register */
        if (c->mode == 3)
            cursor_use(c, c->rm, 8, READ);
    } else if (op == 0x7e && !c->rep && c->mode == 3) {
        cursor_use(c, c->rm, cursor_word(c), WRITE);
    } else if (op == 0x2c || op == 0x2d || op == 0x50 || op == 0xc5 || op == 0xd7) {
        cursor_use(c, c->reg, cursor_word(c), WRITE);
    }
    return true;
}

static bool is_vector(uint8_t op)
{
    return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) || (op >= 0x50 && op <= 0x76) ||
           (op >= 0x7c && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ||
           (op >= 0xd0 && op != 0xf7 && op != 0xff);
}

static bool bit_test(struct cursor *c, enum how how)
{
    cursor_modrm(c);
    cursor_operand(c, cursor_word(c), how);
    if (c->mode != 3) /* the number of the bit reaches further than the operand */
        c->i->index = c->reg;
    cursor_use(c, c->reg, cursor_word(c), READ);
    return true;
}

bool decode_two(struct cursor *c, uint8_t op)
{
    if (op >= 0x80 && op < 0x90) {
        c->i->condition = op & 15;
        cursor_relative(c, FLOW_BRANCH, 4);
        return !c->small;
    }
    if (is_vector(op))
        return vector(c, op);
    if (op >= 0x40 && op < 0x50) { /* cmov: keeps what it has, or not */
        cursor_modrm(c);
        cursor_operand(c, cursor_word(c), READ);
        cursor_use(c, c->reg, cursor_word(c), UPDATE);
        cursor_computes(c, FLAGS_READ);
        return true;
    }
    if (op >= 0x90 && op < 0xa0) {
        cursor_modrm(c);
        cursor_operand(c, 1, WRITE);
        cursor_computes(c, FLAGS_READ);
        return true;
    }
    if (op >= 0xc8 && op < 0xd0) {
        cursor_use(c, (op & 7u) | (c->rex & 1u) << 3, cursor_word(c), UPDATE);
        cursor_computes(c, FLAGS_KEPT);
        return true;
    }
    switch (op) {
    case 0x0b:
        c->i->flow = FLOW_END;
        return true;
    case 0x0d:
    case 0x18:
    case 0x1e:
    case 0x1f: /* nothing is done with the operand, nor is its address needed */
        cursor_modrm(c);
        memset(c->i->reads, 0, sizeof c->i->reads);
        c->i->base = c->i->index = NO_REG;
        cursor_computes(c, FLAGS_KEPT);
        return op != 0x1e || c->rep;
    case 0xa3:
        return bit_test(c, READ);
    case 0xab:
    case 0xb3:
    case 0xbb:
        return bit_test(c, UPDATE);
    case 0xa4:
    case 0xac:
        cursor_with_constant(c, cursor_word(c), UPDATE, 1);
        cursor_use(c, c->reg, cursor_word(c), READ);
        return true;
    case 0xa5:
    case 0xad:
        cursor_with_constant(c, cursor_word(c), UPDATE, 0);
        cursor_use(c, c->reg, cursor_word(c), READ);
        cursor_use(c, RCX, 1, READ);
        return true;
    case 0xae: /* fences */
        cursor_modrm(c);
        return c->mode == 3 && (c->reg & 7) >= 5;
    case 0xaf:
        cursor_modrm(c);
        cursor_operand(c, cursor_word(c), READ);
        cursor_use(c, c->reg, cursor_word(c), UPDATE);
        cursor_computes(c, FLAGS_CHANGED);
        return true;
    case 0xb0:
    case 0xb1: /* cmpxchg */
        cursor_modrm(c);
        cursor_operand(c, op & 1 ? cursor_word(c) : 1, UPDATE);
        cursor_use(c, c->reg, op & 1 ? cursor_word(c) : 1, READ);
        cursor_use(c, RAX, 8, UPDATE);
        return true;
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
        cursor_modrm(c);
        cursor_operand(c, op & 1 ? 2 : 1, READ);
        cursor_use(c, c->reg, cursor_word(c), WRITE);
        cursor_computes(c, FLAGS_KEPT);
        return true;
    case 0xb8:
    case 0xbc:
    case 0xbd:
        cursor_modrm(c);
        cursor_operand(c, cursor_word(c), READ);
        cursor_use(c, c->reg, cursor_word(c), UPDATE); /* bsf of 0 leaves it */
        return op != 0xb8 || c->rep;
    case 0xba:
        cursor_modrm(c);
        cursor_operand(c, cursor_word(c), (c->reg & 7) == 4 ? READ : UPDATE);
        cursor_number(c, 1);
        return true;
    case 0xc0:
    case 0xc1: /* xadd */
        cursor_exchange(c, op & 1 ? cursor_word(c) : 1);
        return true;
    default:
        return false;
    }
}
