/* One function of the program, decoded, and what is known at each of its instructions. */
#ifndef RT_CODE_EXAMINE_H
#define RT_CODE_EXAMINE_H

#include "rt/code/decode.h"
#include "rt/code/function.h"
#include "rt/code/live.h"

#define INSTRUCTIONS 4096
#define UNKNOWN INT32_MIN     /* no address in the frame */
#define MAYBE (INT32_MIN + 1) /* perhaps one: whoever uses it gives it away */
#define WORDS (LIVE_FRAME / 8)
#define ALIKE_MOST 1024 /* in longer functions no instructions are alike */

/* What is known when an instruction is reached. */
struct before {
    bool reached, escaped;
    int32_t value[REGS]; /* an address in the frame, relative to its base; or UNKNOWN, or MAYBE */
    int32_t stored[WORDS]; /* the same of its words, from base - LIVE_FRAME on */
    uint16_t fixed;        /* registers that always hold this number there: */
    uint64_t number[REGS];
};

struct needs {
    uint8_t registers[REGS];
    uint64_t frame[LIVE_FRAME / 64]; /* bit n: the byte at base - LIVE_FRAME + n */
    uint64_t flags; /* 1: they are needed */
};

struct point {
    uintptr_t at;
    bool known;
    bool escapes;   /* an address of the frame has been given away, there or before */
    bool matters;   /* not idle (idle.c) */
    bool entered;   /* a jump leads there */
    const struct point *merges; /* of a branch: where both ways lead to; NULL: to different places */
    struct hook_use hook; /* of calls */
    struct instruction is;
    struct before before;
    struct needs needs; /* when it is reached */
};

/* The function under examination. */
struct examined {
    struct function f;
    uint32_t count;
    struct needs pushed; /* bytes written through the stack pointer: arguments of calls, perhaps */
    uint16_t point_at[FUNCTION_BYTES]; /* + 1; 0: no instruction begins there */
    struct point points[INSTRUCTIONS];
    bool classified; /* alike.c */
    uint64_t class[INSTRUCTIONS];
};
extern struct examined *code_examined;

/* The instruction that begins there; NULL: none is known. */
struct point *examine_point(uintptr_t at);

/* Where a jump leads: 0, 1, … until NULL (to elsewhere, or there are no more). Through a table these may be
 * more than there are. */
struct point *examine_target(const struct point *p, uint32_t k);

/* The call that returns there; NULL: none is known. */
const struct point *examine_call_before(uintptr_t pc);

static inline bool examine_is_address(int32_t value)
{
    return value != UNKNOWN && value != MAYBE;
}
/* The memory operand, if it is in the frame at a known place; UNKNOWN otherwise. */
int32_t examine_operand(const struct before *b, const struct instruction *i);

static inline bool examine_is_fixed(const struct before *b, unsigned reg)
{
    return reg < REGS && b->fixed >> reg & 1;
}
/* Does it do nothing but set a register, to a number that is known? Which it is, and to what. */
bool examine_sets(const struct point *p, uint8_t *reg, uint64_t *number);

static inline bool examine_goes_on(const struct instruction *i)
{
    return i->flow == FLOW_ON || i->flow == FLOW_BRANCH || i->flow == FLOW_CALL;
}
static inline bool examine_jumps(const struct instruction *i)
{
    return i->flow == FLOW_BRANCH || i->flow == FLOW_JUMP || i->flow == FLOW_TABLE;
}

void examine_init(void);
/* Decodes the function around pc and follows the addresses of its frame through it; false: too long, or
 * not known. */
bool examine_function(uintptr_t pc);

#endif
