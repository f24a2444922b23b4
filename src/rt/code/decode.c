/* The encoding is described in the processor's manual (Intel SDM, volume 2, appendix A); the cases below
 * go through its tables of one-byte and two-byte opcodes. tests/e2e/waiting.sh compares lengths and
 * targets with objdump's. */
#include "rt/code/decode.h"


enum how { READ = 1, WRITE = 2, UPDATE = 3 };

struct cursor {
    const uint8_t *p, *end;
    uint8_t rex, mode, reg, rm; /* of the ModRM byte, extended */
    bool has_rex, small, rep;   /* small: 16-bit operands; rep: F2 or F3 */
    bool fits;
    struct instruction *i;
};

static uint8_t byte(struct cursor *c)
{
    if (c->p >= c->end) {
        c->fits = false;
        return 0;
    }
    return *c->p++;
}

static int64_t number(struct cursor *c, unsigned size)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < size; k++)
        n |= (uint64_t)byte(c) << 8 * k;
    unsigned unused = 64 - 8 * size;
    return size ? (int64_t)(n << unused) >> unused : 0;
}

/* A register as an operand of `size` bytes. Writing 4 bytes clears the rest. */
static void use(struct cursor *c, unsigned reg, unsigned size, enum how how)
{
    unsigned shift = 0;
    if (size == 1 && !c->has_rex && reg >= 4 && reg < 8) { /* ah, ch, dh, bh */
        reg -= 4;
        shift = 1;
    }
    unsigned bytes = ((1u << (size > 8 ? 8 : size)) - 1) << shift;
    if (how & READ) {
        c->i->reads[reg] |= (uint8_t)bytes;
        c->i->data |= (uint16_t)(1u << reg);
    }
    if (how & WRITE)
        c->i->writes[reg] |= size >= 4 ? 0xff : (uint8_t)bytes;
}

static void address_register(struct cursor *c, uint8_t reg)
{
    if (reg < REGS)
        c->i->reads[reg] = 0xff;
}

/* The ModRM byte and what follows it up to an immediate. */
static void modrm(struct cursor *c)
{
    struct instruction *i = c->i;
    uint8_t b = byte(c);
    c->mode = b >> 6;
    c->reg = (uint8_t)((b >> 3 & 7) | (c->rex & 4) << 1);
    c->rm = b & 7;
    if (c->mode == 3) {
        c->rm |= (uint8_t)((c->rex & 1) << 3);
        return;
    }
    i->base = (uint8_t)(c->rm | (c->rex & 1) << 3);
    i->index = NO_REG;
    unsigned wide = c->mode == 1 ? 1 : c->mode == 2 ? 4 : 0;
    if (c->rm == 4) {
        uint8_t sib = byte(c);
        i->index = (uint8_t)((sib >> 3 & 7) | (c->rex & 2) << 2);
        if (i->index == RSP)
            i->index = NO_REG;
        i->base = (uint8_t)((sib & 7) | (c->rex & 1) << 3);
        if ((sib & 7) == 5 && !c->mode) {
            i->base = NO_REG;
            wide = 4;
        }
    } else if (c->rm == 5 && !c->mode) {
        i->base = RIP;
        wide = 4;
    }
    i->displacement = (int32_t)number(c, wide);
    address_register(c, i->base);
    address_register(c, i->index);
}

/* The operand that ModRM names. */
static void operand(struct cursor *c, unsigned size, enum how how)
{
    if (c->mode == 3) {
        use(c, c->rm, size, how);
        return;
    }
    c->i->size = (uint8_t)size;
    c->i->loads = how & READ;
    c->i->stores = how & WRITE;
}

static unsigned word(const struct cursor *c)
{
    return c->rex & 8 ? 8 : c->small ? 2 : 4;
}

static unsigned immediate(const struct cursor *c)
{
    return c->small ? 2 : 4;
}

static void relative(struct cursor *c, enum flow flow, unsigned size)
{
    int64_t distance = number(c, size);
    c->i->flow = (uint8_t)flow;
    c->i->target = (uintptr_t)c->p + (uintptr_t)distance;
}

static void add_number(struct cursor *c, int64_t n)
{
    if (c->mode != 3 || word(c) != 8)
        return;
    c->i->effect = EFFECT_ADD;
    c->i->to = c->rm;
    c->i->number = (int32_t)n;
}

/* add, or, adc, sbb, and, sub, xor, cmp in their six forms */
static void arithmetic(struct cursor *c, uint8_t op)
{
    unsigned form = op & 7, which = op >> 3, size = form & 1 ? word(c) : 1;
    enum how how = which == 7 ? READ : UPDATE;
    c->i->compares = which == 7;
    if (form >= 4) {
        use(c, RAX, size, how);
        number(c, form == 4 ? 1 : immediate(c));
        return;
    }
    modrm(c);
    if (c->mode == 3 && c->reg == c->rm && (which == 5 || which == 6)) { /* clears it */
        use(c, c->rm, size, WRITE);
        return;
    }
    operand(c, size, form < 2 ? how : READ);
    use(c, c->reg, size, form < 2 ? READ : how);
}

/* The same with a constant: 80, 81, 83. */
static void arithmetic_constant(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0x80 ? 1 : word(c);
    modrm(c);
    int64_t n = number(c, op == 0x81 ? immediate(c) : 1);
    unsigned which = c->reg & 7;
    operand(c, size, which == 7 ? READ : UPDATE);
    c->i->compares = which == 7;
    if (op != 0x80 && (which == 0 || which == 5))
        add_number(c, which ? -n : n);
}

static bool group3(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0xf6 ? 1 : word(c);
    modrm(c);
    switch (c->reg & 7) {
    case 0:
    case 1: /* test */
        number(c, size == 1 ? 1 : immediate(c));
        operand(c, size, READ);
        c->i->compares = true;
        return true;
    case 2:
    case 3: /* not, neg */
        operand(c, size, UPDATE);
        return true;
    default: /* multiplication, division */
        operand(c, size, READ);
        use(c, RAX, size, UPDATE);
        use(c, RDX, size, UPDATE);
        return true;
    }
}

static bool group5(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0xfe ? 1 : word(c);
    modrm(c);
    switch (c->reg & 7) {
    case 0:
    case 1: /* inc, dec */
        operand(c, size, UPDATE);
        return true;
    case 2:
        operand(c, 8, READ);
        c->i->flow = FLOW_CALL;
        return op == 0xff;
    default:
        return false;
    }
}

static bool push_or_pop(struct cursor *c, uint8_t op)
{
    unsigned reg = (op & 7u) | (c->rex & 1u) << 3;
    if (c->small)
        return false;
    use(c, reg, 8, op < 0x58 ? READ : WRITE);
    c->i->effect = op < 0x58 ? EFFECT_PUSH : EFFECT_POP;
    c->i->to = c->i->from = (uint8_t)reg;
    return true;
}

static void move(struct cursor *c, uint8_t op)
{
    unsigned size = op & 1 ? word(c) : 1;
    modrm(c);
    bool to_operand = op < 0x8a;
    operand(c, size, to_operand ? WRITE : READ);
    use(c, c->reg, size, to_operand ? READ : WRITE);
    c->i->from = c->reg;
    if (size != 8 || c->mode != 3)
        return;
    c->i->effect = EFFECT_MOVE;
    c->i->to = to_operand ? c->rm : c->reg;
    c->i->from = to_operand ? c->reg : c->rm;
}

static void exchange(struct cursor *c, unsigned size)
{
    modrm(c);
    operand(c, size, UPDATE);
    use(c, c->reg, size, UPDATE);
}

static bool load_address(struct cursor *c)
{
    modrm(c);
    if (c->mode == 3)
        return false;
    use(c, c->reg, word(c), WRITE);
    if (word(c) == 8) {
        c->i->effect = EFFECT_LEA;
        c->i->to = c->reg;
    } else { /* arithmetic */
        c->i->data |= (uint16_t)(c->i->base < REGS ? 1u << c->i->base : 0);
        c->i->data |= (uint16_t)(c->i->index < REGS ? 1u << c->i->index : 0);
    }
    return true;
}

/* movs, stos, with or without repetition: through rdi and rsi, as often as rcx says */
static void string(struct cursor *c, uint8_t op)
{
    c->i->loads = op < 0xa8;
    c->i->stores = true;
    c->i->base = RDI;
    c->i->index = RDI; /* the extent is not known */
    use(c, RDI, 8, UPDATE);
    if (op < 0xa8)
        use(c, RSI, 8, UPDATE);
    else
        use(c, RAX, 8, READ);
    if (c->rep)
        use(c, RCX, 8, UPDATE);
}

static void with_constant(struct cursor *c, unsigned size, enum how how, unsigned constant)
{
    modrm(c);
    operand(c, size, how);
    number(c, constant);
}

static bool one_byte(struct cursor *c, uint8_t op)
{
    if (op < 0x40 && (op & 7) < 6) {
        arithmetic(c, op);
        return true;
    }
    if (op >= 0x50 && op < 0x60)
        return push_or_pop(c, op);
    if (op >= 0x70 && op < 0x80) {
        relative(c, FLOW_BRANCH, 1);
        return true;
    }
    if (op >= 0xb0 && op < 0xc0) { /* mov of a constant */
        unsigned size = op < 0xb8 ? 1 : word(c);
        use(c, (op & 7u) | (c->rex & 1u) << 3, size, WRITE);
        number(c, size);
        return true;
    }
    switch (op) {
    case 0x63:
        modrm(c);
        operand(c, 4, READ);
        use(c, c->reg, word(c), WRITE);
        return true;
    case 0x69:
    case 0x6b:
        with_constant(c, word(c), READ, op == 0x6b ? 1 : immediate(c));
        use(c, c->reg, word(c), WRITE);
        return true;
    case 0x68:
    case 0x6a:
        number(c, op == 0x6a ? 1 : 4);
        c->i->effect = EFFECT_PUSH;
        c->i->from = NO_REG;
        return !c->small;
    case 0x80:
    case 0x81:
    case 0x83:
        arithmetic_constant(c, op);
        return true;
    case 0x84:
    case 0x85:
        modrm(c);
        operand(c, op & 1 ? word(c) : 1, READ);
        use(c, c->reg, op & 1 ? word(c) : 1, READ);
        c->i->compares = true;
        return true;
    case 0x86:
    case 0x87:
        exchange(c, op & 1 ? word(c) : 1);
        return true;
    case 0x88:
    case 0x89:
    case 0x8a:
    case 0x8b:
        move(c, op);
        return true;
    case 0x8d:
        return load_address(c);
    case 0x90:
        return !(c->rex & 1);
    case 0x98: /* cdqe and its like */
        use(c, RAX, word(c) / 2, READ);
        use(c, RAX, word(c), WRITE);
        return true;
    case 0x99:
        use(c, RAX, word(c), READ);
        use(c, RDX, word(c), WRITE);
        return true;
    case 0xa4:
    case 0xa5:
    case 0xaa:
    case 0xab:
        string(c, op);
        return true;
    case 0xa8:
    case 0xa9:
        number(c, op == 0xa8 ? 1 : immediate(c));
        use(c, RAX, op == 0xa8 ? 1 : word(c), READ);
        c->i->compares = true;
        return true;
    case 0xc0:
    case 0xc1:
        with_constant(c, op & 1 ? word(c) : 1, UPDATE, 1);
        return true;
    case 0xc3:
        c->i->flow = FLOW_RETURN;
        return true;
    case 0xc6:
    case 0xc7:
        with_constant(c, op & 1 ? word(c) : 1, WRITE, op & 1 ? immediate(c) : 1);
        return (c->reg & 7) == 0;
    case 0xc9:
        c->i->effect = EFFECT_LEAVE;
        use(c, RBP, 8, UPDATE);
        return true;
    case 0xcc:
        c->i->flow = FLOW_END;
        return true;
    case 0xd0:
    case 0xd1:
        with_constant(c, op & 1 ? word(c) : 1, UPDATE, 0);
        return true;
    case 0xd2:
    case 0xd3:
        with_constant(c, op & 1 ? word(c) : 1, UPDATE, 0);
        use(c, RCX, 1, READ);
        return true;
    case 0xe8:
        relative(c, FLOW_CALL, 4);
        return true;
    case 0xe9:
    case 0xeb:
        relative(c, FLOW_JUMP, op == 0xeb ? 1 : 4);
        return true;
    case 0xf6:
    case 0xf7:
        return group3(c, op);
    case 0xfe:
    case 0xff:
        return group5(c, op);
    default:
        return false;
    }
}

/* Vector registers do not survive a call, so only memory and the general registers count. Which of these
 * a vector instruction writes wholly is not asked: it reads them. */
static bool vector(struct cursor *c, uint8_t op)
{
    modrm(c);
    bool to_memory = op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b || op == 0x7f ||
                     op == 0xd6 || op == 0xe7 || (op == 0x7e && !c->rep);
    if (c->mode != 3) {
        c->i->loads = !to_memory;
        c->i->stores = to_memory;
    }
    if ((op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6)) /* a constant follows */
        number(c, 1);
    if (op == 0x6e || op == 0x2a || op == 0xc4) { /* from a general register */
        if (c->mode == 3)
            use(c, c->rm, 8, READ);
    } else if (op == 0x7e && !c->rep && c->mode == 3) {
        use(c, c->rm, word(c), WRITE);
    } else if (op == 0x2c || op == 0x2d || op == 0x50 || op == 0xc5 || op == 0xd7) {
        use(c, c->reg, word(c), WRITE);
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
    modrm(c);
    operand(c, word(c), how);
    if (c->mode != 3) /* the number of the bit reaches further than the operand */
        c->i->index = c->reg;
    use(c, c->reg, word(c), READ);
    return true;
}

static bool two_bytes(struct cursor *c, uint8_t op)
{
    if (op >= 0x80 && op < 0x90) {
        relative(c, FLOW_BRANCH, 4);
        return !c->small;
    }
    if (is_vector(op))
        return vector(c, op);
    if (op >= 0x40 && op < 0x50) { /* cmov: keeps what it has, or not */
        modrm(c);
        operand(c, word(c), READ);
        use(c, c->reg, word(c), UPDATE);
        return true;
    }
    if (op >= 0x90 && op < 0xa0) {
        modrm(c);
        operand(c, 1, WRITE);
        return true;
    }
    if (op >= 0xc8 && op < 0xd0) {
        use(c, (op & 7u) | (c->rex & 1u) << 3, word(c), UPDATE);
        return true;
    }
    switch (op) {
    case 0x0b:
        c->i->flow = FLOW_END;
        return true;
    case 0x0d:
    case 0x18:
    case 0x1e:
    case 0x1f: /* nothing is done with the operand */
        modrm(c);
        return op != 0x1e || c->rep;
    case 0xa3:
        return bit_test(c, READ);
    case 0xab:
    case 0xb3:
    case 0xbb:
        return bit_test(c, UPDATE);
    case 0xa4:
    case 0xac:
        with_constant(c, word(c), UPDATE, 1);
        use(c, c->reg, word(c), READ);
        return true;
    case 0xa5:
    case 0xad:
        with_constant(c, word(c), UPDATE, 0);
        use(c, c->reg, word(c), READ);
        use(c, RCX, 1, READ);
        return true;
    case 0xae: /* fences */
        modrm(c);
        return c->mode == 3 && (c->reg & 7) >= 5;
    case 0xaf:
        modrm(c);
        operand(c, word(c), READ);
        use(c, c->reg, word(c), UPDATE);
        return true;
    case 0xb0:
    case 0xb1: /* cmpxchg */
        modrm(c);
        operand(c, op & 1 ? word(c) : 1, UPDATE);
        use(c, c->reg, op & 1 ? word(c) : 1, READ);
        use(c, RAX, 8, UPDATE);
        return true;
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
        modrm(c);
        operand(c, op & 1 ? 2 : 1, READ);
        use(c, c->reg, word(c), WRITE);
        return true;
    case 0xb8:
    case 0xbc:
    case 0xbd:
        modrm(c);
        operand(c, word(c), READ);
        use(c, c->reg, word(c), UPDATE); /* bsf of 0 leaves it */
        return op != 0xb8 || c->rep;
    case 0xba:
        modrm(c);
        operand(c, word(c), (c->reg & 7) == 4 ? READ : UPDATE);
        number(c, 1);
        return true;
    case 0xc0:
    case 0xc1: /* xadd */
        exchange(c, op & 1 ? word(c) : 1);
        return true;
    default:
        return false;
    }
}

/* Prefixes, REX last. */
static uint8_t prefixes(struct cursor *c)
{
    for (;;) {
        uint8_t b = byte(c);
        if (b == 0x66)
            c->small = true;
        else if (b == 0xf2 || b == 0xf3)
            c->rep = true;
        else if (b == 0x64 || b == 0x65)
            c->i->elsewhere = true;
        else if ((b & 0xf0) == 0x40) {
            c->has_rex = true;
            c->rex = b & 15;
            return byte(c);
        } else if (b != 0x2e && b != 0x3e && b != 0xf0)
            return b;
        if (!c->fits)
            return b;
    }
}

bool decode(const uint8_t *at, uint32_t room, struct instruction *out)
{
    *out = (struct instruction){.base = NO_REG, .index = NO_REG, .to = NO_REG, .from = NO_REG};
    struct cursor c = {.p = at, .end = at + room, .fits = true, .i = out};
    uint8_t op = prefixes(&c);
    bool known = op == 0x0f ? two_bytes(&c, byte(&c)) : one_byte(&c, op);
    out->length = (uint8_t)(c.p - at);
    return known && c.fits && out->length <= 15;
}
