/* Opcodes of one byte: the first table of the manual. */
#include "rt/code/decode_impl.h"

/* Of add, or, adc, sbb, and, sub, xor, cmp. */
static enum sum_kind sum_of(unsigned which)
{
    static const uint8_t kinds[8] = {[0] = SUM_ADD, [4] = SUM_AND, [5] = SUM_SUB, [7] = SUM_COMPARE};
    return kinds[which];
}

static void add_number(struct cursor *c, int64_t n)
{
    if (c->mode != 3 || cursor_word(c) != 8)
        return;
    c->i->effect = EFFECT_ADD;
    c->i->to = c->rm;
    c->i->number = (int32_t)n;
}

/* add, or, adc, sbb, and, sub, xor, cmp in their six forms */
static void arithmetic(struct cursor *c, uint8_t op)
{
    unsigned form = op & 7, which = op >> 3, size = form & 1 ? cursor_word(c) : 1;
    enum how how = which == 7 ? READ : UPDATE;
    c->i->compares = which == 7;
    cursor_computes(c, which == 2 || which == 3 ? FLAGS_READ : FLAGS_SET);
    if (form >= 4) {
        cursor_use(c, RAX, size, how);
        int64_t n = cursor_number(c, form == 4 ? 1 : cursor_immediate(c));
        cursor_sum_number(c, sum_of(which), RAX, n, size);
        return;
    }
    cursor_modrm(c);
    unsigned named = cursor_named(c);
    cursor_sum(c, sum_of(which), form < 2 ? named : c->reg, form < 2 ? c->reg : named, size);
    if (c->mode == 3 && c->reg == c->rm && (which == 5 || which == 6)) { /* clears it */
        cursor_use(c, c->rm, size, WRITE);
        return;
    }
    cursor_operand(c, size, form < 2 ? how : READ);
    cursor_use(c, c->reg, size, form < 2 ? READ : how);
}

/* The same with a constant: 80, 81, 83. */
static void arithmetic_constant(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0x80 ? 1 : cursor_word(c);
    cursor_modrm(c);
    int64_t n = cursor_number(c, op == 0x81 ? cursor_immediate(c) : 1);
    unsigned which = c->reg & 7;
    cursor_sum_number(c, sum_of(which), cursor_named(c), n, size);
    cursor_operand(c, size, which == 7 ? READ : UPDATE);
    c->i->compares = which == 7;
    cursor_computes(c, which == 2 || which == 3 ? FLAGS_READ : FLAGS_SET);
    if (op != 0x80 && (which == 0 || which == 5))
        add_number(c, which ? -n : n);
}

/* Rotations through the carry read it. */
static void shift(struct cursor *c)
{
    unsigned which = c->reg & 7;
    cursor_computes(c, which == 2 || which == 3 ? FLAGS_READ : FLAGS_CHANGED);
}

static bool group3(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0xf6 ? 1 : cursor_word(c);
    cursor_modrm(c);
    switch (c->reg & 7) {
    case 0:
    case 1: /* test */
        cursor_number(c, size == 1 ? 1 : cursor_immediate(c));
        cursor_operand(c, size, READ);
        c->i->compares = true;
        cursor_computes(c, FLAGS_SET);
        return true;
    case 2:
    case 3: /* not, neg */
        cursor_operand(c, size, UPDATE);
        cursor_computes(c, (c->reg & 7) == 2 ? FLAGS_KEPT : FLAGS_SET);
        return true;
    default: /* multiplication, division */
        cursor_operand(c, size, READ);
        cursor_use(c, RAX, size, UPDATE);
        cursor_use(c, RDX, size, UPDATE);
        return true;
    }
}

static bool group5(struct cursor *c, uint8_t op)
{
    unsigned size = op == 0xfe ? 1 : cursor_word(c);
    cursor_modrm(c);
    switch (c->reg & 7) {
    case 0:
    case 1: /* inc, dec */
        cursor_operand(c, size, UPDATE);
        cursor_computes(c, FLAGS_CHANGED);
        cursor_sum_number(c, (c->reg & 7) == 0 ? SUM_ADD : SUM_SUB, cursor_named(c), 1, size);
        c->i->sum.keeps_carry = true;
        return true;
    case 2:
        cursor_operand(c, 8, READ);
        c->i->flow = FLOW_CALL;
        return op == 0xff;
    case 4:
        cursor_operand(c, 8, READ);
        c->i->flow = FLOW_TABLE;
        c->i->flags = FLAGS_KEPT;
        c->i->from = c->rm;
        return op == 0xff && c->mode == 3;
    default:
        return false;
    }
}

static bool push_or_pop(struct cursor *c, uint8_t op)
{
    unsigned reg = (op & 7u) | (c->rex & 1u) << 3;
    if (c->small)
        return false;
    cursor_use(c, reg, 8, op < 0x58 ? READ : WRITE);
    c->i->effect = op < 0x58 ? EFFECT_PUSH : EFFECT_POP;
    c->i->flags = FLAGS_KEPT;
    c->i->to = c->i->from = (uint8_t)reg;
    return true;
}

static void move(struct cursor *c, uint8_t op)
{
    unsigned size = op & 1 ? cursor_word(c) : 1;
    cursor_modrm(c);
    bool to_operand = op < 0x8a;
    cursor_operand(c, size, to_operand ? WRITE : READ);
    cursor_use(c, c->reg, size, to_operand ? READ : WRITE);
    c->i->from = c->reg;
    cursor_computes(c, FLAGS_KEPT);
    unsigned named = cursor_named(c);
    cursor_sum(c, SUM_MOVE, to_operand ? named : c->reg, to_operand ? c->reg : named, size);
    if (size != 8 || c->mode != 3)
        return;
    c->i->effect = EFFECT_MOVE;
    c->i->to = to_operand ? c->rm : c->reg;
    c->i->from = to_operand ? c->reg : c->rm;
}

static bool load_address(struct cursor *c)
{
    cursor_modrm(c);
    if (c->mode == 3)
        return false;
    cursor_use(c, c->reg, cursor_word(c), WRITE);
    cursor_computes(c, FLAGS_KEPT);
    if (c->i->base < REGS && c->i->index == NO_REG)
        cursor_sum(c, SUM_LEA, c->reg, c->i->base, cursor_word(c));
    if (cursor_word(c) == 8) {
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
    cursor_use(c, RDI, 8, UPDATE);
    if (op < 0xa8)
        cursor_use(c, RSI, 8, UPDATE);
    else
        cursor_use(c, RAX, 8, READ);
    if (c->rep)
        cursor_use(c, RCX, 8, UPDATE);
}

bool decode_one(struct cursor *c, uint8_t op)
{
    if (op < 0x40 && (op & 7) < 6) {
        arithmetic(c, op);
        return true;
    }
    if (op >= 0x50 && op < 0x60)
        return push_or_pop(c, op);
    if (op >= 0x70 && op < 0x80) {
        c->i->condition = op & 15;
        cursor_relative(c, FLOW_BRANCH, 1);
        return true;
    }
    if (op >= 0xb0 && op < 0xc0) { /* mov of a constant */
        unsigned size = op < 0xb8 ? 1 : cursor_word(c);
        cursor_use(c, (op & 7u) | (c->rex & 1u) << 3, size, WRITE);
        int64_t n = cursor_number(c, size);
        cursor_computes(c, FLAGS_KEPT);
        if (size == 4)
            cursor_sum_number(c, SUM_MOVE, (op & 7u) | (c->rex & 1u) << 3, n, size);
        return true;
    }
    switch (op) {
    case 0x63:
        cursor_modrm(c);
        cursor_computes(c, FLAGS_KEPT);
        cursor_operand(c, 4, READ);
        cursor_use(c, c->reg, cursor_word(c), WRITE);
        return true;
    case 0x69:
    case 0x6b:
        cursor_with_constant(c, cursor_word(c), READ, op == 0x6b ? 1 : cursor_immediate(c));
        cursor_computes(c, FLAGS_CHANGED);
        cursor_use(c, c->reg, cursor_word(c), WRITE);
        return true;
    case 0x68:
    case 0x6a:
        cursor_number(c, op == 0x6a ? 1 : 4);
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
        cursor_modrm(c);
        cursor_operand(c, op & 1 ? cursor_word(c) : 1, READ);
        cursor_use(c, c->reg, op & 1 ? cursor_word(c) : 1, READ);
        c->i->compares = true;
        cursor_computes(c, FLAGS_SET);
        cursor_sum(c, SUM_TEST, cursor_named(c), c->reg, op & 1 ? cursor_word(c) : 1);
        return true;
    case 0x86:
    case 0x87:
        cursor_exchange(c, op & 1 ? cursor_word(c) : 1);
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
        cursor_computes(c, FLAGS_KEPT);
        return !(c->rex & 1);
    case 0x98: /* cdqe and its like */
        cursor_use(c, RAX, cursor_word(c) / 2, READ);
        cursor_use(c, RAX, cursor_word(c), WRITE);
        cursor_computes(c, FLAGS_KEPT);
        return true;
    case 0x99:
        cursor_computes(c, FLAGS_KEPT);
        cursor_use(c, RAX, cursor_word(c), READ);
        cursor_use(c, RDX, cursor_word(c), WRITE);
        return true;
    case 0xa4:
    case 0xa5:
    case 0xaa:
    case 0xab:
        string(c, op);
        return true;
    case 0xa8:
    case 0xa9:
        cursor_number(c, op == 0xa8 ? 1 : cursor_immediate(c));
        cursor_use(c, RAX, op == 0xa8 ? 1 : cursor_word(c), READ);
        c->i->compares = true;
        cursor_computes(c, FLAGS_SET);
        return true;
    case 0xc0:
    case 0xc1:
        cursor_with_constant(c, op & 1 ? cursor_word(c) : 1, UPDATE, 1);
        shift(c);
        return true;
    case 0xc3:
        c->i->flow = FLOW_RETURN;
        return true;
    case 0xc6:
    case 0xc7:
        cursor_modrm(c);
        cursor_operand(c, op & 1 ? cursor_word(c) : 1, WRITE);
        int64_t constant = cursor_number(c, op & 1 ? cursor_immediate(c) : 1);
        cursor_computes(c, FLAGS_KEPT);
        cursor_sum_number(c, SUM_MOVE, cursor_named(c), constant, op & 1 ? cursor_word(c) : 1);
        return (c->reg & 7) == 0;
    case 0xc9:
        c->i->effect = EFFECT_LEAVE;
        c->i->flags = FLAGS_KEPT;
        cursor_use(c, RBP, 8, UPDATE);
        return true;
    case 0xcc:
        c->i->flow = FLOW_END;
        return true;
    case 0xd0:
    case 0xd1:
        cursor_with_constant(c, op & 1 ? cursor_word(c) : 1, UPDATE, 0);
        shift(c);
        return true;
    case 0xd2:
    case 0xd3:
        cursor_with_constant(c, op & 1 ? cursor_word(c) : 1, UPDATE, 0);
        cursor_use(c, RCX, 1, READ);
        shift(c);
        return true;
    case 0xe8:
        cursor_relative(c, FLOW_CALL, 4);
        return true;
    case 0xe9:
    case 0xeb:
        cursor_relative(c, FLOW_JUMP, op == 0xeb ? 1 : 4);
        c->i->flags = FLAGS_KEPT;
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
