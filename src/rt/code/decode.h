/* One instruction of the program's machine code (x86-64): how long it is, where it leads, which bytes of
 * registers and which memory it reads and writes. Only what compilers make of ordinary functions is
 * known; of everything else decode() says so, and whoever asks must expect the worst. */
#ifndef RT_CODE_DECODE_H
#define RT_CODE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum reg {
    RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
    REGS, RIP = REGS, NO_REG
};

enum flow {
    FLOW_ON,
    FLOW_BRANCH, /* to the target or on */
    FLOW_JUMP,
    FLOW_TABLE, /* a jump to where the register `from` says */
    FLOW_CALL,
    FLOW_RETURN,
    FLOW_END, /* a trap: nothing follows */
};

enum effect {
    EFFECT_OTHER,
    EFFECT_MOVE, /* to = from, both whole registers */
    EFFECT_LEA,  /* to = the address of the memory operand, which is not accessed */
    EFFECT_ADD,  /* to += number, whole register */
    EFFECT_PUSH,
    EFFECT_POP,
    EFFECT_LEAVE,
};

/* What it does with the arithmetic flags. */
enum flags {
    FLAGS_READ, /* or not known */
    FLAGS_KEPT,
    FLAGS_CHANGED, /* not all of them, or not always */
    FLAGS_SET,
};

/* What it computes, where that is followed: `width` bytes of `to` and of `by`, each a register, OPERAND (in
 * memory) or NUMBER. */
enum sum_kind {
    SUM_OTHER,
    SUM_MOVE, /* to = by */
    SUM_ADD,  /* to += by */
    SUM_SUB,
    SUM_AND,
    SUM_LEA,     /* to = by + displacement */
    SUM_COMPARE, /* flags of to - by */
    SUM_TEST,    /* flags of to & by */
};
enum { OPERAND = NO_REG + 1, NUMBER };

struct sum {
    uint8_t kind, to, by, width;
    bool keeps_carry; /* inc and dec */
    int32_t number;
};

struct instruction {
    uint8_t length;
    uint8_t flow, effect;
    uint8_t to, from;   /* registers, of the effects that have them; from also of a mov from or to memory */
    bool compares;      /* what it reads goes into the flags only */
    bool computes;      /* does nothing but that: what it writes follows from what it reads */
    uint8_t flags;
    uint8_t reads[REGS], writes[REGS]; /* bytes of each register; addresses count as read */
    uint16_t data;      /* registers that are read for their value, not as part of an address */
    /* Its memory operand: `size` bytes (0: not known) at base + index * n + displacement. */
    bool loads, stores;
    bool elsewhere;     /* relative to a segment */
    uint8_t base, index, size;
    uint8_t scale; /* of the index: a power of two, as it is encoded */
    int32_t displacement;
    int32_t number;
    uint8_t condition; /* of a branch, as it is encoded */
    struct sum sum;
    uintptr_t target; /* of a direct jump or call */
};

/* The instruction at `at`, of which there are `room` bytes; false: not known. */
bool decode(const uint8_t *at, uint32_t room, struct instruction *out);

#endif
