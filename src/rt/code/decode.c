/* The encoding is described in the processor's manual (Intel SDM, volume 2, appendix A): prefixes, an opcode
 * of one byte (decode_one.c) or two (decode_two.c), and operands. tests/e2e/waiting.sh compares lengths and
 * targets with objdump's. */
#include "rt/code/decode_impl.h"

uint8_t cursor_byte(struct cursor *c)
{
    if (c->p >= c->end) {
        c->fits = false;
        return 0;
    }
    return *c->p++;
}

int64_t cursor_number(struct cursor *c, unsigned size)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < size; k++)
        n |= (uint64_t)cursor_byte(c) << 8 * k;
    unsigned unused = 64 - 8 * size;
    return size ? (int64_t)(n << unused) >> unused : 0;
}

/* A register as an operand of `size` bytes. Writing 4 bytes clears the rest. */
void cursor_use(struct cursor *c, unsigned reg, unsigned size, enum how how)
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
void cursor_modrm(struct cursor *c)
{
    struct instruction *i = c->i;
    uint8_t b = cursor_byte(c);
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
        uint8_t sib = cursor_byte(c);
        i->index = (uint8_t)((sib >> 3 & 7) | (c->rex & 2) << 2);
        i->scale = sib >> 6;
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
    i->displacement = (int32_t)cursor_number(c, wide);
    address_register(c, i->base);
    address_register(c, i->index);
}

/* The operand that ModRM names. */
void cursor_operand(struct cursor *c, unsigned size, enum how how)
{
    if (c->mode == 3) {
        cursor_use(c, c->rm, size, how);
        return;
    }
    c->i->size = (uint8_t)size;
    c->i->loads = how & READ;
    c->i->stores = how & WRITE;
}

unsigned cursor_word(const struct cursor *c)
{
    return c->rex & 8 ? 8 : c->small ? 2 : 4;
}

unsigned cursor_immediate(const struct cursor *c)
{
    return c->small ? 2 : 4;
}

void cursor_relative(struct cursor *c, enum flow flow, unsigned size)
{
    int64_t distance = cursor_number(c, size);
    c->i->flow = (uint8_t)flow;
    c->i->target = (uintptr_t)c->p + (uintptr_t)distance;
}

/* It can fail only by its memory operand, and does nothing that is not told of it. */
void cursor_computes(struct cursor *c, enum flags flags)
{
    c->i->computes = true;
    c->i->flags = (uint8_t)flags;
}

unsigned cursor_named(const struct cursor *c)
{
    return c->mode == 3 ? c->rm : OPERAND;
}

/* Bytes and words of 16 bits are not followed. */
void cursor_sum(struct cursor *c, enum sum_kind kind, unsigned to, unsigned by, unsigned width)
{
    if (width >= 4)
        c->i->sum = (struct sum){.kind = (uint8_t)kind,
                                 .to = (uint8_t)to,
                                 .by = (uint8_t)by,
                                 .width = (uint8_t)width};
}

void cursor_sum_number(struct cursor *c, enum sum_kind kind, unsigned to, int64_t number, unsigned width)
{
    cursor_sum(c, kind, to, NUMBER, width);
    c->i->sum.number = (int32_t)number;
}

void cursor_exchange(struct cursor *c, unsigned size)
{
    cursor_modrm(c);
    cursor_operand(c, size, UPDATE);
    cursor_use(c, c->reg, size, UPDATE);
}

void cursor_with_constant(struct cursor *c, unsigned size, enum how how, unsigned constant)
{
    cursor_modrm(c);
    cursor_operand(c, size, how);
    cursor_number(c, constant);
}

/* Prefixes, REX last. */
static uint8_t prefixes(struct cursor *c)
{
    for (;;) {
        uint8_t b = cursor_byte(c);
        if (b == 0x66)
            c->small = true;
        else if (b == 0xf2 || b == 0xf3)
            c->rep = true;
        else if (b == 0x64 || b == 0x65)
            c->i->elsewhere = true;
        else if ((b & 0xf0) == 0x40) {
            c->has_rex = true;
            c->rex = b & 15;
            return cursor_byte(c);
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
    bool known = op == 0x0f ? decode_two(&c, cursor_byte(&c)) : decode_one(&c, op);
    out->length = (uint8_t)(c.p - at);
    return known && c.fits && out->length <= 15;
}
